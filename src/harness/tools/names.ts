/** Finds tools among those that are only named; harmless by itself, so no rule and no skill takes it away. */
export const TOOL_SEARCH = 'tool_search';
