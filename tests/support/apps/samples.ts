import type { ViewName } from '#src/core/html/view-names.ts'
import { calendar, ofWeek } from './calendar.ts'

/** What a view is shown: the input of a call, and its answer. */
export interface Sample {
  view: ViewName
  input: Record<string, unknown>
  answer: Record<string, unknown>
}

/** When everything in the samples begins. */
export const began = Date.parse('2026-03-02T09:00:00.000Z')
/** When the samples are looked at. */
export const seen = began + 150_000

function at(seconds: number): string {
  return new Date(began + seconds * 1000).toISOString()
}

const source = { kind: 'webhook', address: 'hooks.example' }

function run(n: number, own: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: `run_${n}`,
    char_id: 'newsroom--researcher',
    task_id: 'research',
    app_id: 'newsroom',
    owner_id: 'acc_1',
    trigger: { type: 'cron', at: at(0) },
    started_by: null,
    status: 'completed',
    reason: null,
    attempt: 1,
    input: 'Tides',
    output: 'Three findings about the tides.',
    error: null,
    artifacts: [],
    approval_id: null,
    resumed_from: null,
    parent_run_id: null,
    root_run_id: 'run_1',
    depth: 0,
    usage: { input_tokens: 1200, output_tokens: 340 },
    created_at: at(0),
    started_at: at(2),
    finished_at: at(30),
    ...own,
  }
}

/** A chain that has forked: one run failed, one waits for an approval, one is under way. */
function chain(text: string): Record<string, unknown> {
  const open = { started_at: at(125), finished_at: null, output: null }
  const error = { code: text, message: text }
  return {
    items: [
      run(1, { output: text, untrusted: true, source }),
      run(2, {
        char_id: 'newsroom--writer',
        task_id: text,
        parent_run_id: 'run_1',
        created_at: at(30),
        started_at: at(31),
        finished_at: at(75),
        output: { text },
      }),
      run(3, {
        char_id: text,
        task_id: 'check',
        parent_run_id: 'run_2',
        created_at: at(75),
        started_at: at(80),
        finished_at: at(92),
        status: 'failed',
        output: null,
        error,
        reason: text,
      }),
      run(4, {
        char_id: 'newsroom--editor',
        task_id: 'edit',
        parent_run_id: 'run_2',
        created_at: at(75),
        started_at: at(78),
        finished_at: at(120),
      }),
      run(5, {
        ...open,
        char_id: 'newsroom--mailer',
        task_id: 'newsletter',
        parent_run_id: 'run_4',
        created_at: at(120),
        started_at: null,
        status: 'waiting_approval',
        approval_id: text,
      }),
      run(6, {
        ...open,
        char_id: 'newsroom--archivist',
        task_id: 'archive',
        parent_run_id: 'run_4',
        created_at: at(120),
        status: 'running',
        trigger: { type: text, at: at(0) },
      }),
    ],
    next_cursor: null,
  }
}

const asked = {
  id: 'apr_1',
  kind: 'gate',
  run_id: 'run_5',
  char_id: 'newsroom--mailer',
  task_id: 'newsletter',
  state: 'pending',
  approvers: ['newsroom--editor', 'newsroom--chief'],
  needed: 1,
  votes: [],
  expires_at: at(86_400),
  fallback_agent_id: null,
  follow_up_run_id: null,
  created_at: at(120),
  decided_at: null,
}

function approvals(text: string): Record<string, unknown> {
  const vote = { by: text, decision: 'approve', reason: text, at: at(140) }
  const refusal = { ...vote, decision: 'reject', edited: true, reason: null }
  return {
    items: [
      {
        ...asked,
        prompt: text,
        input: { text, subscribers: 1204 },
        untrusted: true,
        source,
        votes: [vote],
        needed: 2,
      },
      {
        ...asked,
        id: 'apr_2',
        kind: 'tool',
        prompt: text,
        input: null,
        tool_call: { tool: text, arguments: { order: 17, amount_eur: 9999, text } },
        require_person: true,
      },
      {
        ...asked,
        id: 'apr_3',
        kind: 'secret_origin',
        prompt: text,
        input: null,
        secret_origins: [{ secret: text, origin: text }],
      },
      {
        ...asked,
        id: 'apr_4',
        prompt: text,
        input: text,
        edited_input: text,
        state: 'rejected',
        decided_at: at(140),
        votes: [refusal],
      },
    ],
    next_cursor: null,
  }
}

function agents(names: readonly string[]) {
  return names.map((local_id) => ({ local_id, id: `newsroom--${local_id}` }))
}

function link(from: string, to: string, permission = 'run_task') {
  return {
    from,
    to,
    relationship_type: 'friend',
    permissions: [permission],
    shared_abilities: [],
    note: null,
  }
}

function team(text: string): Record<string, unknown> {
  return {
    id: 'newsroom',
    app_id: 'newsroom',
    owner_id: 'acc_1',
    name: text,
    description: text,
    version: null,
    status: 'active',
    agents: agents(['researcher', 'writer', 'checker', 'editor', 'mailer', 'archivist', text]),
    connections: [
      link('researcher', 'writer'),
      link('writer', 'checker'),
      link('writer', 'editor'),
      link('checker', 'editor', 'message'),
      link('editor', 'mailer'),
      link('editor', 'archivist'),
      link('editor', 'writer', 'message'),
      link(text, 'researcher', text),
    ],
    team: null,
    webhook: null,
    revision: 4,
    manifest_hash: '5f',
    created_at: at(0),
    updated_at: at(60),
    drift: [{ local_id: 'checker', id: 'newsroom--checker', change: 'changed', members: [text] }],
    secrets_needed: [
      {
        name: text,
        description: text,
        required: true,
        set: false,
        agents: [{ local_id: text, id: text, set: false }],
      },
    ],
  }
}

/** A team of as many agents, each of which hands on to the next ones. */
export function largeTeam(size: number): Record<string, unknown> {
  const names = Array.from({ length: size }, (_, i) => `agent-${i}`)
  const connections = names.flatMap((from, i) =>
    [1, 2, 5].map((step) => link(from, names[(i + step) % size] ?? from)),
  )
  return { ...team('Large'), agents: agents(names), connections, drift: [], secrets_needed: [] }
}

/** A chain of as many runs, each of which set off the next. */
export function longChain(length: number): Record<string, unknown> {
  const items = Array.from({ length }, (_, i) =>
    run(i + 1, {
      parent_run_id: i === 0 ? null : `run_${i}`,
      created_at: at(i),
      started_at: at(i),
      finished_at: at(i + 1),
    }),
  )
  return { items, next_cursor: null }
}

function schedule(text: string): Record<string, unknown> {
  const hour = 3600
  const day = 24 * hour
  const coming = (seconds: number, comes = true) => ({
    at: at(seconds),
    fires_at: at(seconds),
    local_at: at(seconds),
    timezone: 'UTC',
    trigger: 'cron',
    comes,
    reason: comes ? null : 'skip_next',
    message: comes ? null : text,
  })
  const past = (seconds: number, status = 'fired') => ({
    at: at(seconds),
    fires_at: at(seconds),
    trigger: 'cron',
    status,
    reason: status === 'fired' ? null : 'overlap',
    message: text,
    run_id: 'run_1',
    to: null,
    count: 1,
  })
  return {
    state: 'scheduled',
    message: text,
    timezone: 'UTC',
    next: [6, 24, 30, 48, 54, 72, 78, 96, 102, 120].map((after, i) =>
      coming(after * hour, i !== 1),
    ),
    last: [
      past(0),
      past(-18 * hour, 'skipped'),
      past(-day),
      past(-day - 18 * hour),
      past(-2 * day),
    ],
    counters: { fired: 4, skipped: { overlap: 1 } },
  }
}

const author = (handle: string) => ({ handle, kind: 'agent', char_id: null })

function hits(text: string): Record<string, unknown> {
  const forum = { untrusted: true, source: { kind: 'forum', handle: text } }
  const hit = {
    board: 'ask',
    title: text,
    excerpt: text,
    tags: [text, 'webhooks'],
    author: author(text),
    score: 12,
    relevance: 1,
    why: [],
    ...forum,
  }
  return {
    items: [
      { ...hit, kind: 'answer', thread_id: 'thr_1', reply_id: 'rep_1', state: 'answered' },
      {
        ...hit,
        kind: 'thread',
        thread_id: 'thr_2',
        reply_id: null,
        state: 'open',
        title: null,
        score: 1,
      },
    ],
    mode: 'any',
    suggestions: { tag: null, ...forum },
    next_cursor: text,
  }
}

function thread(text: string): Record<string, unknown> {
  return {
    id: 'thr_1',
    board: 'ask',
    title: text,
    body: text,
    tags: [text],
    author: author(text),
    created_at: at(0),
    updated_at: at(0),
    untrusted: true,
    source: { kind: 'forum', handle: text },
    state: 'answered',
    pinned: false,
    locked: false,
    score: 3,
    reply_count: 2,
    accepted_reply_id: 'rep_1',
    last_activity_at: at(60),
  }
}

function replies(text: string): Record<string, unknown> {
  const reply = {
    thread_id: 'thr_1',
    parent_id: null,
    depth: 1,
    body: text,
    author: author(text),
    state: 'standing',
    score: 2,
    accepted: false,
    verifications: { works: 3, partial: 0, fails: 1, unsafe: 0 },
    created_at: at(30),
    updated_at: at(30),
    untrusted: true,
    source,
  }
  return {
    items: [
      { ...reply, id: 'rep_2', body: null },
      { ...reply, id: 'rep_1', accepted: true },
    ],
    next_cursor: text,
  }
}

/** Samples of what each view shows, with a text in every place that holds what others wrote. */
export const samples: Readonly<Record<string, (text: string) => Sample>> = {
  'a chain': (text) => ({ view: 'run', input: { root_run_id: 'run_1' }, answer: chain(text) }),
  'one run': (text) => ({
    view: 'run',
    input: { run_id: 'run_1' },
    answer: run(1, { status: 'failed', output: null, error: { code: text, message: text } }),
  }),
  'runs of a list': (text) => ({
    view: 'run',
    input: {},
    answer: {
      items: [run(1, { char_id: text }), run(7, { root_run_id: 'run_7', output: text })],
      next_cursor: text,
    },
  }),
  approvals: (text) => ({
    view: 'approvals',
    input: { state: 'pending' },
    answer: approvals(text),
  }),
  'one approval': (text) => ({
    view: 'approvals',
    input: { approval_id: 'apr_1' },
    answer: { ...asked, yours: asked.approvers, prompt: text, input: text },
  }),
  'no approvals': () => ({
    view: 'approvals',
    input: {},
    answer: { items: [], next_cursor: null },
  }),
  'a team': (text) => ({ view: 'team', input: { app_id: 'newsroom' }, answer: team(text) }),
  'a large team': () => ({ view: 'team', input: {}, answer: largeTeam(200) }),
  'the week': (text) => ({
    view: 'week',
    input: { char_id: text, task_id: text },
    answer: schedule(text),
  }),
  'a calendar': (text) => ({ view: 'week', input: ofWeek, answer: calendar(text) }),
  'an empty calendar': (text) => ({
    view: 'week',
    input: { ...ofWeek, char_id: text },
    answer: { items: [], next_cursor: null },
  }),
  hits: (text) => ({ view: 'search', input: { q: text }, answer: hits(text) }),
  'a thread': (text) => ({ view: 'search', input: { thread_id: 'thr_1' }, answer: thread(text) }),
  replies: (text) => ({ view: 'search', input: { thread_id: 'thr_1' }, answer: replies(text) }),
  'no runs': () => ({ view: 'run', input: {}, answer: { items: [], next_cursor: null } }),
}
