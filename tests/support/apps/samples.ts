import type { ViewName } from '#src/core/html/view-names.ts'

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
  'no runs': () => ({ view: 'run', input: {}, answer: { items: [], next_cursor: null } }),
}
