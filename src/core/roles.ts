/**
 * What doors need one operation of all for, whatever it is called: they stand for runs as tasks, read
 * resources by it, and tell a newcomer of it where it is there.
 */
export const roles = [
  'give_key',
  'find_operations',
  'read_agent',
  'read_app',
  'read_manifest',
  'provision_app',
  'run_task',
  'read_run',
  'follow_run',
  'cancel_run',
  'lease_run',
  'complete_run',
  'read_approval',
  'decide_approval',
] as const
/** What doors need one operation of all for. */
export type Role = (typeof roles)[number]

/** Values for a member of inputs, as the items of a list hold them. */
export interface Proposal {
  /** The member of inputs that they are for: `char_id`. */
  member: string
  /** The member of an item of the list that holds one: `id`. */
  from: string
  /** A member of the list's own input that narrows it, where it is known. */
  narrowedBy?: string
  /** How many are asked for at once; by default as many as the list gives. */
  limit?: number
}

/** The operation of a catalog that has this role; undefined where the catalog has none. */
export function withRole<O extends { readonly role?: Role }>(
  catalog: readonly O[],
  role: Role,
): O | undefined {
  return catalog.find((op) => op.role === role)
}
