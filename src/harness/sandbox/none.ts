import { AntlerError } from '../../base/errors.ts';
import type { Workspaces } from './port.ts';

/** For an installation without a place for files: every tool that needs one says so. */
export const noWorkspaces: Workspaces = {
  means: async () => ({ files: false, exec: false }),
  open: async () => {
    throw new AntlerError('unsupported', 'there is no place for files here');
  },
  close: async () => {},
};
