/** A rule that matters: the files that hold it, and the quick tests that prove it. */
export interface Area {
  readonly name: string
  /** The files that hold the rule, as globs: whole ones, and mostly small. */
  readonly files: readonly string[]
  /** Tests that start no other process, as globs. */
  readonly tests: readonly string[]
  /** Prefixes of the names of operations whose cases are also played through the core. */
  readonly cases: readonly string[]
}

export const areas: readonly Area[] = [
  {
    name: 'ownership',
    files: [
      'src/{agents,agents/tasks,apps,runs}/access.ts',
      'src/apps/delivery-access.ts',
      'src/agents/control.ts',
      'src/departures/agent.ts',
      'src/knowledge/library.ts',
      'src/agents/memory/{put,shelf}.ts',
    ],
    tests: [
      'tests/agents/characters/{removal,scoped-keys,strangers}.test.ts',
      'tests/feed/purge.test.ts',
      'tests/knowledge/{keep,shelf}.test.ts',
      'tests/agents/memory/{keep,races}.test.ts',
      'tests/work/{memory,output,reused-ids}.test.ts',
    ],
    cases: ['agent_apps.', 'characters.', 'knowledge.', 'memory.', 'runs.', 'tasks.'],
  },
  {
    name: 'quotas',
    files: [
      'src/accounts/room.ts',
      'src/core/counts/quota-table.ts',
      'src/core/counts/quotas.ts',
      'src/core/turns/in-turn.ts',
      'src/operations/agent-apps/teardown.ts',
      'src/money/orders/room.ts',
    ],
    tests: [
      'tests/apps/teardown.test.ts',
      'tests/money/orders/order.test.ts',
      'tests/rules/{quotas,turns}.test.ts',
      'tests/work/{app-races,budgets}.test.ts',
    ],
    cases: ['agent_apps.', 'account.', 'limits.'],
  },
  {
    name: 'approvals',
    files: ['src/runs/approvals/{access,decide,gate,viewer-row,verdict}.ts'],
    tests: [
      'tests/runs/approvals/votes.test.ts',
      'tests/protocol/{a2a-approvals,agents/approvals}.test.ts',
      'tests/rules/approvals.test.ts',
      'tests/work/{approvals,reused-ids}.test.ts',
    ],
    cases: ['approvals.', 'tasks.'],
  },
  {
    name: 'leases',
    files: [
      'src/operations/runs/heartbeat.ts',
      'src/runs/{claim,concurrency,lease,queue}.ts',
      'src/runs/ending/{cancel,end-run}.ts',
    ],
    tests: [
      'tests/runs/*.test.ts',
      'tests/work/{budgets,events,output,reused-ids,runner,secrets,workflow}.test.ts',
    ],
    cases: ['runs.', 'tasks.'],
  },
  {
    name: 'hand-offs',
    files: [
      'src/agents/friends/{bounds,edge,permission}.ts',
      'src/runs/ending/handoff.ts',
      'src/runs/workflows/match.ts',
    ],
    tests: [
      'tests/rules/workflows.test.ts',
      'tests/runs/handoffs.test.ts',
      'tests/work/{friends,output,workflow}.test.ts',
    ],
    cases: ['friends.'],
  },
  {
    name: 'schedules',
    files: [
      'src/runs/schedules/{catch-up,release-waiting,skip-next,slot,turns,window}.ts',
      'src/agents/tasks/schedule/{jitter,next-due}.ts',
    ],
    tests: [
      'tests/rules/{schedules,timetable}.test.ts',
      'tests/work/scheduler.test.ts',
      'tests/work/schedules/*.test.ts',
    ],
    cases: ['schedules.', 'tasks.pause', 'tasks.resume', 'tasks.schedule', 'tasks.skip_next'],
  },
  {
    name: 'visibility',
    files: [
      'src/agents/visibility/ability-access.ts',
      'src/agents/view.ts',
      'src/runs/chat/access.ts',
      'src/agents/public/{owner,parts,read}.ts',
      'src/money/orders/public-offer.ts',
    ],
    tests: [
      'tests/agents/characters/{abilities,leaks,view}.test.ts',
      'tests/runs/chat/{access,close,conversations}.test.ts',
      'tests/feed/home.test.ts',
      'tests/agents/imports/copies.test.ts',
    ],
    cases: ['characters.', 'memory.', 'posts.', 'public.'],
  },
  {
    name: 'payments',
    files: [
      'src/money/orders/{payer,rate,state}.ts',
      'src/money/payments/credit.ts',
      'src/money/wallet/{book,booking-writes,ledger,lines}.ts',
    ],
    tests: [
      'tests/money/orders/{faults,ordering,rating,rating-payers,refunds,standing}.test.ts',
      'tests/money/payments/{checkouts,leaving,order-checkouts,refunds,subscriptions}.test.ts',
      'tests/money/wallet/*.test.ts',
    ],
    cases: ['orders.', 'payments.', 'wallet.'],
  },
  {
    name: 'commit',
    files: [
      'adapters/store/sqlite/{commit,errors,portions,transaction}.ts',
      'src/core/{revision,tombstones}.ts',
      'src/core/admission/idempotency.ts',
    ],
    tests: [
      'tests/agents/characters/revisions.test.ts',
      'tests/contract/more/{group-commit,sqlite-errors,store-sqlite-portions}.test.ts',
      'tests/contract/{store,store-bound,store-changes,store-commit}.test.ts',
      'tests/contract/{store-filters,store-sqlite-commit,store-values}.test.ts',
      'tests/work/{entrance,idempotency,reused-ids}.test.ts',
    ],
    cases: ['characters.', 'memory.', 'tasks.'],
  },
  {
    name: 'doors',
    files: [
      'protocol/admission.ts',
      'protocol/a2a/ids.ts',
      'protocol/mcp/{short-form,short-path}.ts',
      'src/core/admission/{caller-cache,callers,identify}.ts',
      'src/core/admission/{credential-callers,session-callers}.ts',
    ],
    tests: [
      'tests/adapters/{http-doors,http-input}.test.ts',
      'tests/commons/lost-tokens.test.ts',
      'tests/operations/credentials.test.ts',
      'tests/accounts/people/{callers,identify,sessions}.test.ts',
      'tests/protocol/{a2a-limits,a2a-messages,a2a-methods,a2a-refusals,json-rpc}.test.ts',
      'tests/protocol/{mcp-calls,mcp-door,mcp-http,mcp-short-path,mcp-tools}.test.ts',
      'tests/protocol/{agents/task-ids,mcp/forms,mcp/short-path,policies}.test.ts',
      'tests/work/entrance.test.ts',
    ],
    cases: ['account.', 'api_keys.'],
  },
  {
    name: 'votes',
    files: ['src/commons/ranks.ts', 'src/commons/scores/*.ts', 'src/commons/votes/*.ts'],
    tests: ['tests/commons/{owners,regard,votes}.test.ts', 'tests/rules/commons-ranks.test.ts'],
    cases: ['commons.votes', 'commons.replies'],
  },
]

/** @throws where none is called so */
export function areaNamed(name: string): Area {
  const area = areas.find((one) => one.name === name)
  if (area) return area
  throw new Error(`There is no area "${name}", but ${areas.map((one) => one.name).join(', ')}.`)
}

/** The test files of an area, with the one that plays its cases. */
export function testsOf({ tests, cases }: Area): string[] {
  return cases.length > 0 ? [...tests, 'tests/mutants/cases.play.ts'] : [...tests]
}
