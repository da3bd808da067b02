import { z } from 'zod';
import { AntlerError } from '../../base/errors.ts';
import { openFile } from '../tools/files/source.ts';
import { defineTool, type ToolSource } from '../tools/port.ts';
import { asName } from '../transcript/frame.ts';
import { imageOf } from './shelf.ts';

export const VIEW_IMAGE = 'view_image';

const viewImage = defineTool({
  name: VIEW_IMAGE,
  description:
    'Shows you an image that you do not see yet: one of the workspace, or one that somebody sent earlier in this conversation. You see it from your next step on, until you have answered.',
  input: z.object({
    image: z.string().trim().min(1).max(1_000).describe('Its path in the workspace, or its name or id in <files>.'),
  }),
  trust: 'local',
  run: async ({ image }, context, signal) => {
    const { shown: name, content } = await openFile(image, context, signal);
    const seen = imageOf(content);
    if (seen.kind === 'hidden') throw new AntlerError('unsupported', `${asName(name)} cannot be shown: ${seen.why}`);
    context.view({ name, url: seen.url });
    return `${asName(name)} stands below.`;
  },
});

/** The tool for assistants whose models see; others would be shown nothing by it. */
export const imageSource: ToolSource = {
  name: 'images',
  tools: async ({ model, fallbacks, tools }) => {
    const sees = [model, ...fallbacks].some(({ vision }) => vision);
    return sees && (tools.includes('all') || tools.includes(VIEW_IMAGE)) ? [viewImage] : [];
  },
};
