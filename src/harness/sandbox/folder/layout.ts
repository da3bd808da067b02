import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Area } from '../paths.ts';
import type { WorkspaceOwner } from '../port.ts';
import type { FileOwner } from './held-folder.ts';

/**
 * Whose files in workspaces are when Antler runs as root: of an account that is nobody else's, which commands in a
 * sandbox run as. Where Antler runs as somebody else, they are of that user.
 */
const SANDBOX_ID = 10_001;

/** Null where files already belong to whom they should. */
export function workspaceFileOwner(): FileOwner | null {
  return process.getuid?.() === 0 ? { uid: SANDBOX_ID, gid: SANDBOX_ID } : null;
}

/** The user that commands run as, as engines write it. */
export function sandboxUser(): string {
  const { uid, gid } = workspaceFileOwner() ?? {
    uid: process.getuid?.() ?? SANDBOX_ID,
    gid: process.getgid?.() ?? SANDBOX_ID,
  };
  return `${uid}:${gid}`;
}

/** Where an owner's files lie on this machine. */
export interface Layout {
  /** All of the owner's; space is counted here. */
  readonly ownerRoot: string;
  /** This assistant's part of it. */
  readonly root: string;
  readonly areas: Readonly<Record<Exclude<Area, 'skills'>, string>>;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The whole digest, not its beginning: two owners must never share a folder. */
export const ownerDigest = (owner: string): string => digest(owner);

/** Names that are no safe name of a folder are replaced by their digest. */
const assistantFolder = (id: string): string => (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(id) ? id : digest(id));

export function layoutOf(base: string, { owner, assistantId }: WorkspaceOwner): Layout {
  const ownerRoot = join(base, ownerDigest(owner));
  const root = join(ownerRoot, assistantFolder(assistantId));
  return {
    ownerRoot,
    root,
    areas: { uploads: join(root, 'uploads'), workspace: join(root, 'workspace'), outputs: join(root, 'outputs') },
  };
}
