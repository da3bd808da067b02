import { strToU8, zipSync } from 'fflate';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** An archive of these parts. */
export const archiveOf = (parts: Readonly<Record<string, string | Uint8Array>>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
    ),
  );

export const relations = (...all: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const contentTypes = (main: string, type: string): string =>
  `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`;

/** A Word document of this body. */
export const docxOf = (body: string, more: Readonly<Record<string, string | Uint8Array>> = {}): Uint8Array =>
  archiveOf({
    '[Content_Types].xml': contentTypes('word/document.xml', 'wordprocessingml.document'),
    '_rels/.rels': relations(['rId1', 'officeDocument', 'word/document.xml']),
    'word/document.xml': `${XML}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ...more,
  });

export const wordParagraph = (text: string, style = ''): string =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

export interface SampleSheet {
  readonly name: string;
  readonly state?: 'hidden' | 'veryHidden';
  /** The rows, as XML. */
  readonly rows: string;
}

export interface SampleBook {
  readonly sheets: readonly SampleSheet[];
  /** The shared strings, as XML. */
  readonly strings?: string;
  readonly styles?: string;
  readonly properties?: string;
}

/** A workbook of these sheets. */
export function xlsxOf({ sheets, strings = '', styles = '', properties = '' }: SampleBook): Uint8Array {
  const list = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${index + 1}"/>`,
  );
  return archiveOf({
    '[Content_Types].xml': contentTypes('xl/workbook.xml', 'spreadsheetml.sheet'),
    '_rels/.rels': relations(['rId1', 'officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `${XML}<workbook xmlns="x" xmlns:r="${TYPES}">${properties}<sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ...sheets.map((_, index) => [`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`] as const),
    ),
    'xl/sharedStrings.xml': `${XML}<sst>${strings}</sst>`,
    'xl/styles.xml': `${XML}<styleSheet>${styles}</styleSheet>`,
    ...Object.fromEntries(
      sheets.map(({ rows }, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `${XML}<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  });
}

/** A PDF with one line of text a page, written by hand. */
export function pdfOf(lines: readonly string[], trailer = ''): Uint8Array {
  const pages = lines.map((_, index) => `${4 + index * 2} 0 R`);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.join(' ')}] /Count ${lines.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...lines.flatMap((line, index) => {
      const stream = `BT /F1 18 Tf 72 720 Td (${line}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ];
    }),
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body + end, 'latin1');
}

export interface SampleSlide {
  /** The shapes, as XML. */
  readonly shapes: string;
  readonly notes?: string;
  readonly hidden?: boolean;
}

export const slideShape = (type: string, ...lines: readonly string[]): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${type === '' ? '' : `<p:ph type="${type}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${lines
    .map((line) => `<a:p><a:r><a:rPr lang="en"/><a:t>${line}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`;

/** A presentation; its parts are numbered backwards, so that only the list of slides tells their order. */
export function pptxOf(slides: readonly SampleSlide[]): Uint8Array {
  const namespaces = 'xmlns:p="p" xmlns:a="a" xmlns:r="r"';
  const fileOf = (index: number): string => `slide${slides.length - index}.xml`;
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`).join('');
  const parts = slides.map(({ shapes, notes, hidden }, index): [string, string][] => [
    [
      `ppt/slides/${fileOf(index)}`,
      `${XML}<p:sld ${namespaces}${hidden === true ? ' show="0"' : ''}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
    ],
    ...(notes === undefined
      ? []
      : ([
          [
            `ppt/slides/_rels/${fileOf(index)}.rels`,
            relations(['rId1', 'notesSlide', `../notesSlides/notes${index}.xml`]),
          ],
          [
            `ppt/notesSlides/notes${index}.xml`,
            `${XML}<p:notes ${namespaces}><p:cSld><p:spTree>${slideShape('body', notes)}${slideShape('sldNum', '7')}</p:spTree></p:cSld></p:notes>`,
          ],
        ] satisfies [string, string][])),
  ]);
  return archiveOf({
    '[Content_Types].xml': contentTypes('ppt/presentation.xml', 'presentationml.presentation'),
    '_rels/.rels': relations(['rId1', 'officeDocument', 'ppt/presentation.xml']),
    'ppt/presentation.xml': `${XML}<p:presentation ${namespaces}><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      ...slides.map((_, index) => [`rId${index + 1}`, 'slide', `slides/${fileOf(index)}`] as const),
    ),
    ...Object.fromEntries(parts.flat()),
  });
}
