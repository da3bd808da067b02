import { MAX_TEXT_CHARS } from '../limits.ts';
import { openArchive } from '../ooxml/archive.ts';
import { relationsOf } from '../ooxml/parts.ts';
import { attribute, child, children, parseXml, xmlText } from '../ooxml/xml.ts';
import type { Converted } from '../port.ts';
import { problems } from '../problems.ts';
import { type Workbook, writeSheet } from './sheet.ts';
import { cellFormats, stringOf } from './values.ts';

const PARTS =
  /^xl\/(?:workbook\.xml|sharedStrings\.xml|styles\.xml|_rels\/workbook\.xml\.rels|worksheets\/[^/]+\.xml)$/i;
const STRING = /<(?:\w+:)?si(?=[\s/>])[^>]*?(?:\/>|>[\s\S]*?<\/(?:\w+:)?si>)/g;

/** The sheets of a workbook as tables; those that are hidden are named as such. */
export function readXlsx(content: Uint8Array): Converted {
  const archive = openArchive(content, (name) => PARTS.test(name));
  const part = (name: string): string | undefined => {
    const bytes = archive.bytes(name) ?? archive.bytes(name.toLowerCase());
    return bytes === undefined ? undefined : xmlText(bytes);
  };
  const book = child(parseXml(part('xl/workbook.xml') ?? ''), 'workbook');
  if (book === undefined) throw problems.damaged();
  const relations = relationsOf(archive, 'xl/workbook.xml');
  const workbook: Workbook = {
    shared: sharedStrings(part('xl/sharedStrings.xml') ?? ''),
    formats: cellFormats(part('xl/styles.xml')),
    from1904: ['1', 'true'].includes(attribute(child(book, 'workbookPr'), 'date1904') ?? ''),
  };
  const written: string[] = [];
  let left = MAX_TEXT_CHARS;
  for (const sheet of children(child(book, 'sheets'), 'sheet')) {
    const target = relations.get(attribute(sheet, 'id') ?? '')?.target ?? '';
    const xml = part(target);
    if (xml === undefined) continue; // a chart on a sheet of its own
    const hidden = /hidden/i.test(attribute(sheet, 'state') ?? '') ? ' (hidden sheet)' : '';
    const table = left > 0 ? writeSheet(xml, workbook, left) : '(left out: the workbook is larger than can be shown)';
    left -= table.length;
    written.push(`## ${attribute(sheet, 'name') ?? 'Sheet'}${hidden}\n\n${table}`);
  }
  if (written.length === 0) throw problems.damaged();
  return { text: written.join('\n\n') };
}

/** Parsed when a cell asks for them: large workbooks have many that no shown cell needs. */
function sharedStrings(xml: string): (index: number) => string {
  const slices = xml.match(STRING) ?? [];
  const known = new Map<number, string>();
  return (index) => {
    const text = known.get(index) ?? stringOf(child(parseXml(slices[index] ?? ''), 'si'));
    known.set(index, text);
    return text;
  };
}
