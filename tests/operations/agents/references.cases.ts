import { expect } from 'vitest'
import { agent, agentWithTask, given, type Case, type Stage } from '../case.ts'

/** A task that names what does not exist wherever a task can name something. */
const astray = (receiver: string) => ({
  name: 'Astray',
  prompt: 'Go on.',
  runtime: 'workflow',
  workflow_entry: 'first',
  output_sharing: { enabled: true, target_agent_id: receiver },
  approval_gate: { requires_approval: true, approvers: ['chief'] },
  quorum: { min_approvals: 1, approver_agent_ids: ['judge'], fallback_agent_id: 'deputy' },
  triggers: [{ type: 'message', config: { from_agent_id: 'sender' } }],
  tools: [{ name: 'ask', type: 'agent', config: { agent_id: 'expert', task_id: 'answer' } }],
  selected_secrets: ['TOKEN'],
  selected_connections: ['outpost'],
})

const toldOfIt = [
  'unknown_agent /approval_gate/approvers/0',
  'unknown_agent /quorum/approver_agent_ids/0',
  'unknown_agent /quorum/fallback_agent_id',
  'unknown_agent /triggers/0/config/from_agent_id',
  'unknown_agent /output_sharing/target_agent_id',
  'unknown_agent /tools/0/config/agent_id',
  'unknown_connection /selected_connections/0',
  'unknown_secret /selected_secrets/0',
  'unknown_step /workflow_entry',
]

/** Each warning as its code and pointer. */
function linesOf(warnings: unknown, at = ''): string[] {
  return ((warnings ?? []) as { code: string; pointer: string }[]).map(
    ({ code, pointer }) => `${code} ${pointer.slice(at.length)}`,
  )
}

const gate = (...approvers: string[]) => ({ requires_approval: true, approvers })
const sharing = (target_agent_id: string, target_task_id: string | null = null) => ({
  enabled: true,
  target_agent_id,
  target_task_id,
})

const missing: Case[] = [
  given({
    op: 'tasks.create',
    title: 'what a task names and does not exist is told, with what was probably meant',
    as: 'owner',
    given: (stage) => agent(stage, 'receiver'),
    input: (char_id) => ({ char_id, task: astray(`${char_id}s`) }),
    answer: ({ warnings }, id) => {
      expect(linesOf(warnings)).toEqual(['no_effect /quorum', ...toldOfIt])
      expect(warnings[5]).toMatchObject({ suggestion: id })
    },
  }),
  given({
    op: 'tasks.update',
    title: 'a target that is not there is told when a task is changed, too',
    as: 'owner',
    given: (stage) => agentWithTask(stage),
    input: (ids) => ({ ...ids, task: { output_sharing: sharing('nowhere-to-go') } }),
    answer: ({ warnings }) =>
      expect(linesOf(warnings)).toEqual(['unknown_agent /output_sharing/target_agent_id']),
  }),
  given({
    op: 'characters.create',
    title: 'the tasks of a new agent are read together',
    as: 'owner',
    given: (stage) => Promise.resolve(stage.id('ada')),
    input: (id) => ({
      character: {
        id,
        name: 'Ada',
        control: { channels: [{ name: 'ops', type: 'webhook', enabled: false }] },
        heart: {
          tasks: [
            { name: 'All', runtime: 'workflow', workflow_entry: 'One' },
            { task_id: 'one', name: 'One', prompt: 'x', output_sharing: sharing(id, 'all') },
            { name: 'Two', prompt: 'x', selected_connections: [id, 'ops'] },
          ],
        },
      },
    }),
    answer: ({ warnings }) =>
      expect(linesOf(warnings)).toEqual([
        'unknown_task /heart/tasks/1/output_sharing/target_task_id',
      ]),
  }),
  given({
    op: 'characters.update',
    title: 'tasks that replace others are told of, and tasks that stay are not',
    as: 'owner',
    given: async (stage) => (await agentWithTask(stage, astray('nowhere'))).char_id,
    input: (char_id) => ({ char_id, character: { heart: { tasks: [astray('nowhere')] } } }),
    answer: async ({ warnings }, char_id, stage) => {
      expect(linesOf(warnings, '/heart/tasks/0')).toEqual(['no_effect /quorum', ...toldOfIt])
      const kept = await stage.ask('characters.update', { char_id, character: { bio: 'x' } })
      expect(kept).not.toHaveProperty('warnings')
    },
  }),
  given({
    op: 'agent_apps.validate',
    title: 'the same is told of a manifest, whose own agents and secrets count',
    as: 'owner',
    given: (stage) => Promise.resolve(stage.id('desk')),
    input: (app_id) => ({
      manifest: {
        manifest_version: 1,
        app_id,
        name: 'Desk',
        secrets: [{ name: 'KNOWN', agents: ['lead'] }],
        agents: [
          {
            local_id: 'lead',
            name: 'Lead',
            heart: { tasks: [{ ...astray('gone'), selected_secrets: ['TOKEN', 'KNOWN'] }] },
          },
          {
            local_id: 'aide',
            name: 'Aide',
            heart: {
              tasks: [
                {
                  name: 'Help',
                  prompt: 'x',
                  approval_gate: gate('lead'),
                  selected_connections: ['lead'],
                  tools: [
                    { name: 't', type: 'agent', config: { agent_id: 'lead', task_id: 'none' } },
                  ],
                },
              ],
            },
          },
        ],
      },
    }),
    answer: ({ valid, findings }) => {
      expect(valid).toBe(true)
      expect(linesOf(findings.slice(0, 9), '/agents/0/heart/tasks/0')).toEqual(toldOfIt)
      expect(linesOf(findings.slice(9), '/agents/1/heart/tasks/0')).toEqual([
        'unknown_task /tools/0/config/task_id',
        'no_effect /quorum',
      ])
    },
  }),
]

const reached: Case[] = [
  ...(['asked for', 'accepted'] as const).map((state) =>
    given({
      op: 'tasks.create',
      title: `an agent of another account is told of unless a friendship leads there: ${state}`,
      as: 'owner',
      given: async (stage) => {
        const char_id = await agent(stage)
        const theirs = await strangers(stage)
        await befriend(stage, char_id, theirs, state === 'accepted')
        return { char_id, theirs }
      },
      input: ({ char_id, theirs }) => ({
        char_id,
        task: {
          name: 'Out',
          prompt: 'x',
          output_sharing: sharing(theirs, 'not-for-us-to-know'),
          approval_gate: gate(theirs),
        },
      }),
      answer: ({ warnings }) =>
        expect(linesOf(warnings)).toEqual(
          state === 'accepted'
            ? []
            : [
                'agent_not_reached /approval_gate/approvers/0',
                'agent_not_reached /output_sharing/target_agent_id',
              ],
        ),
    }),
  ),
  given({
    op: 'tasks.create',
    title: 'a key that acts as an agent learns nothing of the tasks of others',
    as: 'scoped',
    given: async (stage) => {
      const grace = await agent(stage, 'grace')
      const char_id = await agent(stage, 'ada', { heart: { tasks: [shared(grace)] } })
      await stage.scopeTo(char_id)
      return { char_id, grace }
    },
    input: ({ char_id, grace }) => ({ char_id, task: shared(grace) }),
    answer: (answer) => expect(answer).not.toHaveProperty('warnings'),
  }),
]

function shared(grace: string): object {
  return { name: 'Pass', prompt: 'x', output_sharing: sharing(grace, 'secret-plan') }
}

async function strangers(stage: Stage): Promise<string> {
  const id = stage.id('theirs')
  await stage.ask('characters.create', { character: { id, name: 'Theirs' } }, 'stranger')
  return id
}

async function befriend(stage: Stage, own: string, theirs: string, isAccepted: boolean) {
  const permissions = ['run_task', 'approve']
  await stage.ask('friends.request', { char_id: own, friend_id: theirs, permissions })
  if (!isAccepted) return
  const answer = { char_id: theirs, friend_id: own, permissions }
  await stage.ask('friends.accept', answer, 'stranger')
}

const alone: Case[] = (
  [
    ['no one', () => [], true],
    ['itself', (id: string) => [id, id], true],
    ['itself and another', (id: string, other: string) => [id, other], false],
  ] as const
).map(([who, approvers, isTold]) =>
  given({
    op: 'tasks.create',
    title: `a gate that names ${who} is allowed, and told where the agent alone would agree`,
    as: 'owner',
    given: async (stage) => ({ char_id: await agent(stage), other: await agent(stage, 'grace') }),
    input: ({ char_id, other }) => ({
      char_id,
      task: { name: 'Pay', prompt: 'x', approval_gate: gate(...approvers(char_id, other)) },
    }),
    answer: ({ warnings }) =>
      expect(linesOf(warnings)).toEqual(isTold ? ['approves_itself /approval_gate/approvers'] : []),
  }),
)

const persons = { ...gate(), require_person: true }

const asking = (
  title: string,
  approval_gate: object,
  as: 'owner' | 'person',
  told: string[],
): Case =>
  given({
    op: 'characters.create',
    title,
    as,
    ...(as === 'person' && { not: { mcp: 'no session there', a2a: 'no session there' } }),
    input: () => ({
      character: { name: 'Ada', heart: { tasks: [{ name: 'Pay', prompt: 'x', approval_gate }] } },
    }),
    answer: ({ warnings }) => expect(linesOf(warnings)).toEqual(told),
  })

const at = '/heart/tasks/0/approval_gate'
const decidedByPersons: Case[] = [
  asking('a gate for a person warns where no person holds the account', persons, 'owner', [
    `no_person ${at}/require_person`,
  ]),
  asking('a gate for a person warns of nothing where one holds the account', persons, 'person', []),
  given({
    op: 'tasks.create',
    title: 'a gate for two persons warns where one holds the account of all approvers',
    as: 'person',
    not: { mcp: 'no session there', a2a: 'no session there' },
    given: async (stage) => {
      const [ada, bob] = [stage.id('ada'), stage.id('bob')]
      for (const id of [ada, bob]) {
        await stage.ask('characters.create', { character: { id, name: id } }, 'person')
      }
      return { ada, bob }
    },
    input: ({ ada, bob }) => ({
      char_id: ada,
      task: {
        name: 'Pay',
        prompt: 'x',
        approval_gate: { ...persons, approvers: [ada, bob], min_approvals: 2 },
      },
    }),
    answer: ({ warnings }) =>
      expect(linesOf(warnings)).toEqual(['approval_unreachable /approval_gate/min_approvals']),
  }),
  given({
    op: 'agent_apps.validate',
    title: 'a manifest with a quorum of persons warns where no person holds the account',
    as: 'owner',
    input: (_, stage) => {
      const quorum = { min_approvals: 1, approver_agent_ids: ['ada'], require_person: true }
      const task = { name: 'Pay', prompt: 'x', runtime: 'human_approval', quorum }
      const agents = [{ local_id: 'ada', name: 'Ada', heart: { tasks: [task] } }]
      return { manifest: { manifest_version: 1, app_id: stage.id('desk'), name: 'Desk', agents } }
    },
    answer: ({ findings }) =>
      expect(linesOf(findings)).toEqual([
        'no_person /agents/0/heart/tasks/0/quorum/require_person',
      ]),
  }),
]

const shown: Case[] = [
  given({
    op: 'characters.create',
    title: 'a public agent with a closed chat is told so',
    as: 'owner',
    input: () => ({
      character: { name: 'Ada', visibility: { profile_visibility: 'public' } },
    }),
    answer: async ({ id, warnings }, _given, stage) => {
      expect(linesOf(warnings)).toEqual(['chat_closed /visibility/ability_access/chat'])
      const again = await stage.ask('characters.update', { char_id: id, character: { bio: 'x' } })
      expect(linesOf(again.warnings)).toEqual(['chat_closed /visibility/ability_access/chat'])
    },
  }),
  given({
    op: 'characters.visibility.update',
    title: 'so it is at every write of its visibility, as long as its chat is closed',
    as: 'owner',
    given: (stage) => agent(stage, 'ada', { visibility: { profile_visibility: 'public' } }),
    input: (char_id) => ({ char_id, visibility: { show_in_directory: true } }),
    answer: ({ warnings }) =>
      expect(linesOf(warnings)).toEqual(['chat_closed /ability_access/chat']),
  }),
  given({
    op: 'characters.visibility.update',
    title: 'a public agent with an open chat is told of nothing',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({
      char_id,
      visibility: { profile_visibility: 'public', ability_access: { chat: 'friends' } },
    }),
    answer: (answer) => expect(answer).not.toHaveProperty('warnings'),
  }),
]

/** What agents and tasks name, and what of it does not exist or cannot be reached. */
export const references: readonly Case[] = [
  ...missing,
  ...reached,
  ...alone,
  ...decidedByPersons,
  ...shown,
]
