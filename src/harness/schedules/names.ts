/** The tools by which an assistant has things done later. */
export const scheduleToolNames = ['schedule', 'list_schedules', 'remove_schedule'] as const;
