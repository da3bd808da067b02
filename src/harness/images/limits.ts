/** Images in one request; a phone's worth of screenshots, and what small endpoints still take. */
export const MAX_IMAGES = 4;
/** Of one image. Anthropic takes 5 MB, OpenAI more: https://docs.claude.com/en/docs/build-with-claude/vision */
export const MAX_IMAGE_BYTES = 5_000_000;
/** Of one side, in pixels; the same page. */
export const MAX_SIDE_PIXELS = 8_000;
/** Files that are read for it: some turn out to be no image. */
export const MAX_LOOKED_AT = 12;
/** Messages of people that are looked through for images, newest first. */
export const LOOK_BACK = 30;
