import { openArchive } from './ooxml/archive.ts';
import { relationsOf } from './ooxml/parts.ts';
import { descendants, parseOrdered, type XmlElement, xmlText } from './ooxml/xml.ts';
import type { Converted } from './port.ts';
import { problems } from './problems.ts';

const PARTS =
  /^ppt\/(?:presentation\.xml|slides\/[^/]+\.xml|notesSlides\/[^/]+\.xml|(?:slides\/)?_rels\/[^/]+\.rels)$/i;
const PRESENTATION = 'ppt/presentation.xml';

/** The slides of a presentation in their order: titles, texts, tables, and what the speaker is to say. */
export function readPptx(content: Uint8Array): Converted {
  const archive = openArchive(content, (name) => PARTS.test(name));
  const part = (name: string): readonly XmlElement[] => {
    const bytes = archive.bytes(name);
    return bytes === undefined ? [] : parseOrdered(xmlText(bytes));
  };
  const targets = relationsOf(archive, PRESENTATION);
  const slides = [...descendants(part(PRESENTATION), 'sldId')].flatMap(
    ({ attributes }) => slideTarget(attributes, targets) ?? [],
  );
  if (slides.length === 0) throw problems.damaged();
  const written = slides.map((name, index) => {
    const slide = part(name);
    const notesPart = [...relationsOf(archive, name).values()].find(({ type }) => type === 'notesSlide');
    const notes = notesPart === undefined ? [] : shapes(part(notesPart.target)).filter(({ kind }) => kind === 'body');
    const isHidden = [...descendants(slide, 'sld')].some(({ attributes }) => attributes.show === '0');
    return writeSlide(index + 1, isHidden, shapes(slide), notes.map(({ text }) => text).join('\n'));
  });
  return { text: written.join('\n\n') };
}

/** `id` is the slide's own number; the relation's id has the same name in another namespace, which comes last. */
function slideTarget(
  attributes: Readonly<Record<string, string>>,
  targets: ReturnType<typeof relationsOf>,
): string | undefined {
  return Object.values(attributes)
    .map((value) => targets.get(value)?.target)
    .find((target) => target !== undefined);
}

interface Shape {
  /** The placeholder's type; empty for a shape of its own. */
  readonly kind: string;
  readonly text: string;
}

function shapes(part: readonly XmlElement[]): readonly Shape[] {
  return part.flatMap((element): readonly Shape[] => {
    switch (element.name) {
      case 'sp': {
        const placeholder = descendants(element.children, 'ph').next().value;
        const kind = placeholder === undefined ? '' : (placeholder.attributes.type ?? 'body');
        return [{ kind, text: paragraphs(element.children) }];
      }
      case 'tbl':
        return [{ kind: '', text: table(element) }];
      default:
        return shapes(element.children);
    }
  });
}

const DECORATION = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);

function writeSlide(number: number, isHidden: boolean, all: readonly Shape[], notes: string): string {
  const found = all.filter(({ kind, text }) => text.trim() !== '' && !DECORATION.has(kind));
  const isTitle = ({ kind }: Shape): boolean => kind === 'title' || kind === 'ctrTitle';
  const title = found.find(isTitle)?.text.replace(/\s+/g, ' ') ?? '';
  const heading = `## Slide ${number}${title === '' ? '' : `: ${title}`}${isHidden ? ' (hidden slide)' : ''}`;
  const texts = found.filter((shape) => !isTitle(shape)).map(({ text }) => text);
  return [heading, ...texts, ...(notes.trim() === '' ? [] : [`Notes: ${notes}`])].join('\n\n');
}

function paragraphs(elements: readonly XmlElement[]): string {
  return [...descendants(elements, 'p')]
    .map((paragraph) => {
      const level = Number(paragraph.children.find(({ name }) => name === 'pPr')?.attributes.lvl ?? 0);
      return '  '.repeat(Math.min(level, 8)) + runs(paragraph.children).trim();
    })
    .filter((line) => line.trim() !== '')
    .join('\n');
}

function runs(elements: readonly XmlElement[]): string {
  return elements
    .map((element) => {
      if (element.name === 'br') return '\n';
      if (element.name === 't') return element.children.map(({ text }) => text).join('');
      return element.name === 'pPr' || element.name === 'rPr' ? '' : runs(element.children);
    })
    .join('');
}

function table(element: XmlElement): string {
  const rows = [...descendants(element.children, 'tr')].map((row) =>
    [...descendants(row.children, 'tc')].map((cell) =>
      paragraphs(cell.children).replace(/\s+/g, ' ').replaceAll('|', '\\|'),
    ),
  );
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}
