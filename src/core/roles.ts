/**
 * Special uses that doors have for one operation each, independent of its name: to stand for runs as tasks,
 * to read resources, to tell newcomers how to get an account.
 */
export const roles = [
  'give_key',
  'find_operations',
  'describe_operation',
  'read_agent',
  'read_app',
  'read_manifest',
  'provision_app',
  'run_task',
  'read_run',
  'list_runs',
  'follow_run',
  'follow_account',
  'cancel_run',
  'lease_run',
  'complete_run',
  'read_approval',
  'decide_approval',
] as const
/** A special use that doors have for an operation. */
export type Role = (typeof roles)[number]

/** Values to suggest for an input member, from the items of a list. */
export interface Proposal {
  /** The input member that they are for: `char_id`. */
  member: string
  /** The member of a list item that holds one: `id`. */
  from: string
  /** A member of the list's own input that narrows it, if its value is known. */
  narrowedBy?: string
  /** How many are asked for at once; by default as many as the list gives. */
  limit?: number
}

/** The operation of a catalog with this role; undefined if there is none. */
export function withRole<O extends { readonly role?: Role }>(
  catalog: readonly O[],
  role: Role,
): O | undefined {
  return catalog.find((op) => op.role === role)
}
