import type { CollectionDefinition, Documents } from '#src/collections.ts'

type OfRuns = 'runs' | 'run_events' | 'approvals' | 'approval_seats'

/** The collections of runs and of what they wait for. */
export const ofRuns: { readonly [N in OfRuns & keyof Documents]: CollectionDefinition } = {
  runs: {
    hidden: [
      'due_at',
      'claim',
      'variables',
      'waits_for',
      'family',
      'open',
      'step',
      'steps',
      'chat_id',
      'bytes',
      'sender',
    ],
    indexes: [
      { on: { waits_for: 1, due_at: 1 }, sparse: 'waits_for' },
      { on: { waits_for: 1, owner_id: 1, due_at: 1 }, sparse: 'waits_for' },
      { on: { owner_id: 1, id: -1 } },
      { on: { char_id: 1, id: -1 } },
      { on: { root_run_id: 1, id: -1 } },
      { on: { owner_id: 1, status: 1, id: -1 } },
      { on: { open: 1 }, sparse: 'open' },
    ],
  },
  run_events: { hidden: ['id', 'run_id'], indexes: [{ on: { run_id: 1, seq: 1 } }] },
  approvals: {
    hidden: [
      'owner_id',
      'kind',
      'fingerprint',
      'on_reject',
      'approver_owners',
      'fell_back',
      'fallback_owner_id',
      'ballot',
      'sender',
      'due_at',
    ],
    indexes: [
      { on: { due_at: 1 }, sparse: 'due_at' },
      { on: { decided_at: 1 }, sparse: 'decided_at' },
    ],
  },
  approval_seats: {
    hidden: [],
    indexes: [
      { on: { viewer: 1, approval_id: -1 } },
      { on: { viewer: 1, state: 1, approval_id: -1 } },
    ],
  },
}
