/** What shows the answers of operations to people, wherever they are shown. */
export const viewNames = ['run', 'approvals', 'team', 'week', 'search'] as const
/** The name of a view. */
export type ViewName = (typeof viewNames)[number]
