import { posix } from 'node:path';
import type { Archive } from './archive.ts';
import { attribute, child, children, parseXml, xmlText } from './xml.ts';

/** Where the relations of a part lead, by their ids. */
export interface Relation {
  readonly target: string;
  /** The last word of its type, e.g. `notesSlide`. */
  readonly type: string;
}

/** Reads `xl/_rels/workbook.xml.rels` for `xl/workbook.xml`; targets are names in the archive. */
export function relationsOf(archive: Archive, part: string): ReadonlyMap<string, Relation> {
  const folder = posix.dirname(part);
  const bytes = archive.bytes(`${folder}/_rels/${posix.basename(part)}.rels`);
  if (bytes === undefined) return new Map();
  const found = children(child(parseXml(xmlText(bytes)), 'Relationships'), 'Relationship');
  return new Map(
    found
      .filter((one) => attribute(one, 'TargetMode') !== 'External')
      .map((one) => {
        const target = attribute(one, 'Target') ?? '';
        const type = (attribute(one, 'Type') ?? '').split('/').at(-1) ?? '';
        const name = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
        return [attribute(one, 'Id') ?? '', { target: name, type }];
      }),
  );
}
