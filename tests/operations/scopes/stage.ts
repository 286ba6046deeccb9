import { agent, type Stage } from '../case.ts'

/** What a key that acts as `ada` finds: the agent, a sibling, and tasks of both. */
export interface Scoped {
  ada: string
  /** Of the same account. */
  grace: string
}

const pay = 'https://pay.example/orders'

/** A task that waits for the sibling before it calls an address with a secret. */
export const gatedTask = (approver: string) => ({
  task_id: 'pay',
  name: 'Pay',
  runtime: 'api',
  api_url: pay,
  tools: [{ name: 'pay', type: 'http', config: { headers: { 'x-key': '{{secret.PAY_KEY}}' } } }],
  selected_secrets: ['PAY_KEY'],
  approval_gate: { requires_approval: true, approvers: [approver] },
})

/** What the sibling does when it is told to. */
export const listening = {
  task_id: 'answer',
  name: 'Answer',
  runtime: 'template',
  prompt: 'Got {{input}}',
  triggers: [{ type: 'message' }],
}

/** Tasks of `ada` besides the gated one. */
export const free = { task_id: 'free', name: 'Free', runtime: 'template', prompt: 'Hi {{input}}' }
export const quorum = {
  task_id: 'decide',
  name: 'Decide',
  runtime: 'human_approval',
  quorum: { min_approvals: 1, approver_agent_ids: ['another-agent'] },
}
export const manual = {
  task_id: 'careful',
  name: 'Careful',
  runtime: 'api',
  api_url: 'https://careful.example/',
  autonomy: 'manual',
}

/** The two agents, and a key that acts as `ada` for the cases that are played as scoped. */
export async function scoped(
  stage: Stage,
  more: object = {},
  rights: readonly 'policy'[] = [],
): Promise<Scoped> {
  const grace = await agent(stage, 'grace', { heart: { tasks: [listening] } })
  const ada = await agent(stage, 'ada', {
    heart: { tasks: [gatedTask(grace), free, quorum, manual] },
    brain: { mcps: [{ name: 'files', url: 'https://files.example/mcp' }] },
    control: {
      channels: [{ name: 'ops', type: 'webhook', config: { url: 'https://ops.example/' } }],
    },
    ...more,
  })
  await stage.scopeTo(ada, rights)
  return { ada, grace }
}
