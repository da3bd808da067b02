export const LOAD_SKILL = 'load_skill';
export const SKILL_SEARCH = 'skill_search';
