/** What a failure means to the owner of an agent, and what they can do about it. */
export interface FailureWords {
  says: string
  cure: string
}

const again = 'Retry it; if it fails again, look at what happened just before.'
const lookAtTask = 'Change the task, then retry the run.'
const secrets = 'Set the secret at the agent, then retry the run.'
const provider = 'Wait a moment and retry it; if it stays so, choose another model for the task.'
const tooMuch = 'Give the work to smaller steps, or ask for less at once, then retry it.'

const known: Readonly<Record<string, FailureWords>> = {
  budget_exceeded: {
    says: 'A budget for models was used up while it worked.',
    cure: 'Raise the budget or wait for its next period, then retry it.',
  },
  variable_missing: {
    says: 'The prompt has a place that nothing filled.',
    cure: 'Run it again with an input that has the missing member, or give the task a default for it.',
  },
  variable_invalid: {
    says: 'A variable is not of the kind that the task asks for.',
    cure: 'Run it again with another value, or change the kind in the task.',
  },
  prompt_too_long: { says: 'The prompt became too long once it was filled in.', cure: tooMuch },
  secret_in_prompt: {
    says: 'The prompt names a secret, and secrets never go into prompts.',
    cure: 'Take it out of the prompt; tools and calls are given secrets by their own members.',
  },
  secret_missing: { says: 'A secret that the task needs is not set.', cure: secrets },
  secret_origin_rejected: {
    says: 'You did not allow a secret to be sent there.',
    cure: 'Allow it when you are asked again, or change where the task sends it.',
  },
  needs_consent: {
    says: 'A server of others asks for your consent first.',
    cure: 'Connect it at the agent, then retry the run.',
  },
  consent_unusable: {
    says: 'Your consent to a server of others does not work any more.',
    cure: 'Connect it again at the agent, then retry the run.',
  },
  provider_unauthorized: {
    says: 'The provider of the model refused the key.',
    cure: 'Set a valid key at the agent, then retry the run.',
  },
  provider_rate_limited: { says: 'The provider of the model was asked too often.', cure: provider },
  provider_unavailable: { says: 'The provider of the model did not answer.', cure: provider },
  provider_error: { says: 'The provider of the model reported an error.', cure: provider },
  provider_refused: {
    says: 'The model declined to do this.',
    cure: 'Say in the prompt what it is for, or choose another model.',
  },
  no_worker: {
    says: 'No model is set up for the task, and no agent took it in time.',
    cure: 'Choose a model for the task or connect an agent that does such work, then retry the run.',
  },
  worker_lost: { says: 'Three workers in a row fell silent over it.', cure: again },
  run_budget: { says: 'It took longer than a run may take.', cure: tooMuch },
  step_timeout: {
    says: 'The model took longer than the task allows for one turn.',
    cure: 'Give the task more time for a step, or ask for less at once.',
  },
  steps_budget: { says: 'Its steps did not end within seven days.', cure: lookAtTask },
  too_many_steps: { says: 'The model used up its turns without an end.', cure: tooMuch },
  output_too_long: { says: 'The model wrote more than is kept.', cure: tooMuch },
  output_invalid: {
    says: 'The answer does not have the form that the task asks for.',
    cure: 'Retry it; if it stays so, say the form more clearly in the prompt, or ask for less of it.',
  },
  tool_unavailable: {
    says: 'A tool that the task cannot do without was not there.',
    cure: 'Check the tool at the agent, then retry the run.',
  },
  tool_header_invalid: { says: 'A header of a tool cannot be sent as it is.', cure: lookAtTask },
  chain_too_deep: { says: 'The runs handed on to each other too often.', cure: lookAtTask },
  too_many_runs: { says: 'The first run of the chain set off too many others.', cure: lookAtTask },
  no_route: {
    says: 'No task of the agent fits the input.',
    cure: 'Run the right task directly, or describe the tasks in the words that come in.',
  },
  workflow_empty: { says: 'The workflow has no task to run.', cure: lookAtTask },
  workflow_entry_invalid: {
    says: 'The workflow begins with a task that is not there.',
    cure: lookAtTask,
  },
  step_missing: { says: 'The task of a step was deleted.', cure: lookAtTask },
  step_skipped: { says: 'A step may not run now.', cure: 'Enable its task, then retry the run.' },
  approval_unreachable: {
    says: 'None of those who are to approve it can be asked.',
    cure: 'Name other approvers in the task, then retry the run.',
  },
  quorum_missing: { says: 'The task does not say who is to decide.', cure: lookAtTask },
  runtime_disabled: {
    says: 'This server does not run commands.',
    cure: 'Its operator can switch them on; else let the task do the work in another way.',
  },
  runtime_changed: {
    says: 'The task was changed while the run waited.',
    cure: 'Retry it as the task is now.',
  },
  internal_error: { says: 'Something went wrong in the server itself.', cure: again },
}

const families: readonly (readonly [prefix: string, words: FailureWords])[] = [
  [
    'api_',
    {
      says: 'The call to another server did not work.',
      cure: 'Check its address and whether it answers, then retry the run.',
    },
  ],
  ['shell_', { says: 'The command did not end well.', cure: lookAtTask }],
  ['container_', { says: 'The command did not end well.', cure: lookAtTask }],
  [
    'step_',
    {
      says: 'One of its steps did not end well.',
      cure: 'Look at that step in the chain: it says why.',
    },
  ],
]

/** What to say of an error by its code; nothing of one that an agent has made up. */
export function failureWords(code: string): FailureWords | undefined {
  if (Object.hasOwn(known, code)) return known[code]
  return families.find(([prefix]) => code.startsWith(prefix))?.[1]
}
