export const MEMORY_SEARCH = 'memory_search';
export const MEMORY_ADD = 'memory_add';
export const MEMORY_UPDATE = 'memory_update';
export const MEMORY_FORGET = 'memory_forget';

export const memoryToolNames: readonly string[] = [MEMORY_SEARCH, MEMORY_ADD, MEMORY_UPDATE, MEMORY_FORGET];
