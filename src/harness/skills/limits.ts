/** As the open Agent Skills format has it: https://agentskills.io/specification */
export const MAX_NAME_CHARS = 64;
export const MAX_DESCRIPTION_CHARS = 1_024;

/** Of `SKILL.md` behind its front matter; fits into one tool result. */
export const MAX_BODY_CHARS = 20_000;
export const MAX_MANIFEST_BYTES = 256_000;
export const MAX_FILES = 256;
export const MAX_FILE_BYTES = 5_000_000;
export const MAX_SKILL_BYTES = 20_000_000;
export const MAX_DEPTH = 8;
/** In one folder of skills. */
export const MAX_SKILLS = 500;

/** Of an archive as it lies on disk. */
export const MAX_ARCHIVE_BYTES = 20_000_000;

/** What stands in every request: so many skills, with so much of their descriptions. */
export const MAX_LISTED = 24;
export const MAX_LISTED_CHARS = 6_000;
export const MAX_LISTED_DESCRIPTION_CHARS = 300;
