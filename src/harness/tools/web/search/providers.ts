import { bocha } from './bocha.ts';
import { brave } from './brave.ts';
import type { SearchProvider } from './port.ts';
import { searxng } from './searxng.ts';
import { tavily } from './tavily.ts';

/** A new provider is a file like its siblings and a line here, and a word in the configuration's schema. */
export const searchProviders = { tavily, searxng, brave, bocha } as const satisfies Record<string, SearchProvider>;

export type SearchProviderName = keyof typeof searchProviders;
