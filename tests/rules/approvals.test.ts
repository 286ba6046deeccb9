import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Vote } from '#src/runs/approvals/approval.ts'
import { fingerprintOf } from '#src/runs/approvals/question.ts'
import {
  isResumed,
  isTurnedDown,
  verdictOf,
  withVote,
  type Verdict,
} from '#src/runs/approvals/verdict.ts'
import { taskFrom } from '#src/agents/tasks/stored-task.ts'
import { TaskInput, type StoredTask } from '#src/agents/tasks/task.ts'

const names = ['a', 'b', 'c', 'd', 'e']

const sequences = fc.integer({ min: 1, max: names.length }).chain((count) =>
  fc.record({
    approvers: fc.constant(names.slice(0, count)),
    needed: fc.integer({ min: 1, max: count }),
    said: fc.array(
      fc.record({
        by: fc.constantFrom(...names.slice(0, count)),
        decision: fc.constantFrom<Vote['decision'][]>('approve', 'reject'),
      }),
      { maxLength: 20 },
    ),
  }),
)

const approver_owners = names.map(() => 'acc_1')

type Said = Pick<Vote, 'by' | 'decision'>

/** What the votes come to one by one, as the operation casts them: none after the decision. */
function played(approvers: string[], needed: number, said: readonly Said[]) {
  let votes: Vote[] = []
  for (const [i, one] of said.entries()) {
    votes = withVote({ approvers: [], approver_owners: [] }, votes, {
      ...one,
      reason: null,
      at: `${i}`,
    })
    const verdict = verdictOf({ approvers, approver_owners, needed, fell_back: false }, votes)
    if (verdict) return { verdict, votes, cast: i + 1 }
  }
  return { verdict: undefined, votes, cast: said.length }
}

/** The same told from the last word of each, without the code's own arithmetic. */
function oracle(approvers: string[], needed: number, said: readonly Said[]): Verdict | undefined {
  const last = new Map(said.map(({ by, decision }) => [by, decision]))
  const hasApproved = approvers.filter((name) => last.get(name) === 'approve')
  const mayStillApprove = approvers.filter((name) => last.get(name) !== 'reject')
  if (hasApproved.length >= needed) return 'approved'
  return mayStillApprove.length < needed ? 'rejected' : undefined
}

describe('votes', () => {
  test('decide as soon as they can, and never before, in any order', () => {
    fc.assert(
      fc.property(sequences, ({ approvers, needed, said }) => {
        const { verdict, cast } = played(approvers, needed, said)
        const states = said.map((_, i) => oracle(approvers, needed, said.slice(0, i + 1)))
        const first = states.findIndex((state) => state !== undefined)
        expect(verdict).toBe(first < 0 ? undefined : states[first])
        expect(cast).toBe(first < 0 ? said.length : first + 1)
      }),
      { numRuns: 2000 },
    )
  })

  test('are one an approver, the last that was said', () => {
    fc.assert(
      fc.property(sequences, ({ approvers, needed, said }) => {
        const { votes, cast } = played(approvers, needed, said)
        const last = new Map(said.slice(0, cast).map(({ by, decision }) => [by, decision]))
        expect(new Map(votes.map(({ by, decision }) => [by, decision]))).toEqual(last)
        expect(votes).toHaveLength(last.size)
      }),
    )
  })

  test('for a changed input and for what was asked are not added up', () => {
    const approval = { approvers: ['a', 'b', 'c'], approver_owners, needed: 2, fell_back: false }
    const said = (by: string, edited?: true): Vote => ({
      by,
      decision: 'approve',
      reason: null,
      at: '0',
      ...(edited && { edited }),
    })
    expect(verdictOf(approval, [said('a'), said('b', true)])).toBeUndefined()
    expect(verdictOf(approval, [said('a', true), said('b')])).toBeUndefined()
    expect(verdictOf(approval, [said('a'), said('b', true), said('c', true)])).toBe('approved')
    expect(verdictOf(approval, [said('b', true), said('a'), said('c')])).toBe('approved')
  })

  test.each([true, false])('decide nothing while there are none, fallen back: %s', (fell_back) => {
    // As of approvers that are too few to approve it.
    expect(
      verdictOf({ approvers: ['a'], approver_owners, needed: 2, fell_back }, []),
    ).toBeUndefined()
  })

  test('of persons are one each, however many agents that are asked are theirs', () => {
    const approval = {
      approvers: ['a', 'b', 'c'],
      approver_owners: ['acc_1', 'acc_1', 'acc_2'],
      needed: 2,
      fell_back: false,
    }
    const said = (by: string, person: string, decision: Vote['decision'] = 'approve'): Vote => ({
      by,
      decided_by: { kind: 'person', person_id: person, session_id: 'ses_1' },
      decision,
      reason: null,
      at: '1',
    })
    const voices = new Map([
      ['acc_1', new Set(['usr_1'])],
      ['acc_2', new Set(['usr_2'])],
    ])
    const first = withVote(approval, [], said('a', 'usr_1'), voices)
    const moved = withVote(approval, first, said('b', 'usr_1'), voices)
    expect(moved.map(({ by }) => by)).toEqual(['b'])
    expect(verdictOf(approval, moved, voices)).toBeUndefined()
    const both = withVote(approval, moved, said('c', 'usr_2'), voices)
    expect(both).toHaveLength(2)
    expect(verdictOf(approval, both, voices)).toBe('approved')
    // Of two persons who both must approve one has rejected it; of three seats one more can.
    const against = [said('a', 'usr_1', 'reject')]
    expect(verdictOf(approval, against, voices)).toBe('rejected')
    const more = new Map([...voices, ['acc_1', new Set(['usr_1', 'usr_3', 'usr_4'])]])
    expect(verdictOf(approval, against, more)).toBeUndefined()
    // Who has left by then is not counted.
    const later = withVote(
      approval,
      both,
      said('b', 'usr_3'),
      new Map([['acc_1', new Set(['usr_3'])]]),
    )
    expect(later.map(({ decided_by }) => decided_by?.person_id)).toEqual(['usr_3'])
  })

  test('of the fallback agent decide alone', () => {
    fc.assert(
      fc.property(sequences, fc.boolean(), ({ approvers, needed, said }, agrees) => {
        const decision = agrees ? 'approve' : 'reject'
        const before = said.map((one, i): Vote => ({ ...one, reason: null, at: `${i}` }))
        const votes = withVote({ approvers: [], approver_owners: [] }, before, {
          by: 'a',
          decision,
          reason: null,
          at: 'last',
        })
        const verdict = verdictOf({ approvers, approver_owners, needed, fell_back: true }, votes)
        expect(verdict).toBe(agrees ? 'approved' : 'rejected')
      }),
    )
  })
})

test.each([
  ['completed', null, { goesOn: false, isRefused: false }],
  ['completed', 'resumed', { goesOn: true, isRefused: false }],
  ['completed', 'rejected', { goesOn: false, isRefused: true }],
  ['completed', 'expired', { goesOn: false, isRefused: true }],
  ['abandoned', 'rejected', { goesOn: false, isRefused: false }],
  ['abandoned', 'expired', { goesOn: false, isRefused: false }],
  ['cancelled', 'resumed', { goesOn: false, isRefused: false }],
] as const)('a run that is %s for the reason %s is told apart', (status, reason, told) => {
  const run = { status, reason }
  expect({ goesOn: isResumed(run), isRefused: isTurnedDown(run) }).toEqual(told)
})

describe('the fingerprint of what is asked', () => {
  const taskOf = (more: object = {}): StoredTask =>
    taskFrom(TaskInput.parse({ name: 'T', prompt: 'Hi', variables: { a: '1', b: '2' }, ...more }), {
      charId: 'ada',
      ownerId: 'acc_1',
      appId: null,
      taskId: 't',
      now: '2026-03-01T12:00:00.000Z',
      previous: undefined,
    }).task
  const asked = { kind: 'gate', prompt: 'May it?' } as const
  const run = { input: { x: 1, y: [2] }, variables: null }
  const plain = fingerprintOf(asked, run, taskOf())

  test.each([
    ['name', { name: 'Other' }],
    ['enabled', { enabled: false }],
    ['order', { order: 7 }],
    ['description', { description: 'New' }],
    ['triggers', { triggers: [{ type: 'manual' }] }],
    ['reliability', { reliability: { pause_on_failure: true } }],
  ])('stays the same with another %s', (_, more) => {
    expect(fingerprintOf(asked, run, taskOf(more))).toBe(plain)
  })

  test.each([
    ['prompt', { prompt: 'Bye' }],
    ['runtime', { runtime: 'api', api_url: 'https://api.example/' }],
    ['variables', { variables: { a: '1', b: '3' } }],
    ['tools', { tools: [{ name: 'search' }] }],
    ['selected_secrets', { selected_secrets: ['KEY'] }],
    ['output_sharing', { output_sharing: { enabled: true, target_agent_id: 'bob' } }],
    ['approval_gate', { approval_gate: { requires_approval: true } }],
    ['shell_command', { shell_command: 'true' }],
  ])('changes with another %s', (_, more) => {
    expect(fingerprintOf(asked, run, taskOf(more))).not.toBe(plain)
  })

  test('changes with the question, the input and the variables of the run', () => {
    const others = [
      fingerprintOf({ ...asked, prompt: 'Other?' }, run, taskOf()),
      fingerprintOf({ ...asked, kind: 'request' }, run, taskOf()),
      fingerprintOf(asked, { ...run, input: { x: 1, y: [3] } }, taskOf()),
      fingerprintOf(asked, { ...run, variables: { a: '2' } }, taskOf()),
    ]
    expect(new Set([...others, plain]).size).toBe(5)
  })

  test('does not depend on the order of members', () => {
    const turned = { input: { y: [2], x: 1 }, variables: null }
    const task = taskOf({ variables: { b: '2', a: '1' } })
    expect(fingerprintOf(asked, turned, task)).toBe(plain)
  })
})
