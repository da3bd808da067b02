import { basename } from 'node:path';
import { z } from 'zod';
import { AntlerError } from '../../../base/errors.ts';
import { mimeOfName } from '../../../base/mime.ts';
import { AREA_PATHS, placeOf } from '../../sandbox/paths.ts';
import { sizeText } from '../../transcript/text.ts';
import { defineTool } from '../port.ts';

const MAX_FILES = 10;
/** What every platform takes. */
const MAX_BYTES = 20_000_000;

const KINDS = { image: 'image', audio: 'audio', video: 'video' } as const;
type Shown = (typeof KINDS)[keyof typeof KINDS] | 'file';

/** Gives people files of the workspace. */
export const presentFiles = defineTool({
  name: 'present_files',
  description: `Sends the person files that you have made, behind your answer. Put them below ${AREA_PATHS.outputs}; without this call nobody sees them.`,
  input: z.object({ paths: z.array(z.string().min(1).max(1_024)).min(1).max(MAX_FILES) }),
  trust: 'local',
  forPeople: true,
  needs: 'files',
  run: async ({ paths }, { workspace: open, files, present }) => {
    const workspace = await open();
    // All are read before the first is sent: either all of them go, or none.
    const found = await Promise.all(
      [...new Set(paths.map((path) => placeOf(path).path))].map(async (path) => {
        const content = await workspace.read(path, MAX_BYTES);
        if (content.byteLength === 0) throw new AntlerError('bad_input', `${path} is empty`);
        return { name: basename(path), content };
      }),
    );
    const sent: string[] = [];
    for (const { name, content } of found) {
      const mime = mimeOfName(name);
      const file = await files.add({ name, mime, kind: kindOf(mime) }, content);
      present(file);
      sent.push(`${file.name} (${sizeText(file.bytes)})`);
    }
    return `Behind your answer go: ${sent.join(', ')}. Do not repeat what is in them.`;
  },
});

function kindOf(mime: string): Shown {
  const [family = ''] = mime.split('/');
  // A drawing in text form is no picture to any platform.
  if (mime === 'image/svg+xml' || !Object.hasOwn(KINDS, family)) return 'file';
  return KINDS[family as keyof typeof KINDS];
}
