import type { StoredCharacter } from '#src/agents/character.ts'
import { openedAgent, openedTools, settingsOf } from '#src/agents/sealed/keep.ts'
import { scrubbedInTurns } from '#src/agents/secrets/scrub-in-turns.ts'
import { noteSettingsGiven, secretsFor } from '#src/agents/secrets/secrets.ts'
import type { Models, ToolAnswer, Turn } from '#src/ports/model.ts'
import { waitingForBrain } from '#src/runs/claim.ts'
import { noteDegraded, unequipped } from '#src/runs/degraded.ts'
import { RunFailure } from '#src/runs/failure.ts'
import { Parking, type Parked } from '#src/runs/ending/park.ts'
import { waitingForBudget } from '#src/runs/waits/budget.ts'
import { mayCall, noPaidCall } from '#src/runs/waits/paid-calls.ts'
import { budgetUsedUp } from '#src/runs/spend/hold.ts'
import { shownModel } from '#src/runs/spend/cost.ts'
import { scrubOf } from '#src/runs/ending/scrub.ts'
import { heldOutput, misfitWords } from '#src/runs/output/held-output.ts'
import { saidEvent, type Said } from '#src/runs/output/said.ts'
import { Unmet } from '#src/ports/store.ts'
import { variablesOf } from '#src/runs/template.ts'
import { authorizeOf } from '../authorize.ts'
import type { Result, Runtime, Work } from '../runtime.ts'
import { approvalTool, asked, questionOf } from './ask-approval.ts'
import { choiceOf, type Choice } from './choose-model.ts'
import type { Desk } from './desk.ts'
import { approvedCall, heldCall, isHeld } from './held-call.ts'
import { newFence, shortened } from '#src/core/text/fence.ts'
import { marksOf } from '#src/core/text/untrusted.ts'
import { ToolFault, type RunTool } from './tool.ts'
import { toolboxOf, type Toolbox } from './toolbox.ts'
import { Turns } from './turns.ts'
import { systemText, taskText } from './texts.ts'

/** How often a model may speak in one run. */
const stepsAtMost = 20
/** How many tools it may call in one step. */
const callsAtMost = 16
/** Of what a tool answers, and of what of it is kept in an event. */
const answerAtMost = 20_000
const notedAtMost = 2000

/**
 * The agent's own brain: its model works with its tools until it has the result. Where no model is
 * configured for it, the run goes back to wait for an agent that leases it.
 */
export const prompt: Runtime = async (work) => {
  const { ports, task, run } = work
  const kept = await ports.store.characters.get(run.char_id)
  if (!kept) {
    throw new RunFailure('character_not_found', `There is no agent "${run.char_id}" any more.`)
  }
  const { character, tools } = opened(work, kept)
  const choice = await choiceOf(ports, task, character)
  if (!choice) return toWaitForBrain(work)
  // Before a call that was approved is made: a run that waits would make it again.
  const usedUp = await budgetUsedUp(ports, run)
  if (usedUp) return waitingForBudget(run, usedUp)
  const desk: Desk = {
    work,
    character,
    tools,
    variables: variablesOf(task, run),
    secrets: await secretsFor(ports, task),
    scrub: await scrubOf(ports, task),
    authorize: authorizeOf(work, async () => {
      desk.scrub = await scrubOf(ports, task)
    }),
    fence: newFence(),
    note: (type, data) => work.note(type, data),
  }
  const toolbox = await toolboxOf(desk, [approvalTool])
  try {
    const unfit = unequipped(toolbox.missing)
    if (unfit) throw unfit
    const without = toolbox.missing.map(({ name }) => shortened(desk.scrub(name), 200))
    await noteDegraded(ports, run, without)
    const prompt = await taskText(desk)
    const approved = await approvedCall(desk, toolbox.tools, (call, tool, approval_id) =>
      madeCall(desk, call, tool, approval_id),
    )
    return await converse(
      desk,
      choice,
      toolbox,
      [prompt, approved ?? ''].filter(Boolean).join('\n\n'),
    )
  } finally {
    await toolbox.close()
  }
}

/** The agent and the task's tools with the secrets that are sent, which nothing of the run may show. */
function opened({ ports, task }: Work, kept: StoredCharacter): Pick<Desk, 'character' | 'tools'> {
  const character = openedAgent(kept, ports.sealer)
  const sent = Object.entries(settingsOf(kept, ports.sealer))
  const ofServers = sent.filter(([at]) => at.startsWith('/brain/')).map(([, value]) => value)
  const { tools, given } = openedTools(task, ports.sealer)
  noteSettingsGiven(task, [...ofServers, ...given])
  return { character, tools }
}

function toWaitForBrain({ run }: Work, more: Partial<Parked> = {}): Parking {
  const back = { ...waitingForBrain(run), status: 'queued', attempt: run.attempt - 1 } as const
  return new Parking({ ...back, ...more }, [])
}

async function converse(
  desk: Desk,
  choice: Choice,
  toolbox: Toolbox,
  prompt: string,
): Promise<Result | Parking> {
  const { name, own } = choice
  const { brain } = desk.character
  const { system, knowledge } = await systemText(desk, toolbox, prompt)
  const opening: Parameters<Models['open']>[2] = {
    system,
    prompt,
    tools: [...toolbox.tools.values()].map(({ offer }) => offer),
    // What the schema fills in, for agents without a brain.
    temperature: brain ? brain.temperature : 0.7,
    maxTokens: brain ? brain.max_tokens : 4096,
  }
  const conversation = await desk.work.ports.models.open(name, own, opening)
  const model = shownModel(choice, desk.scrub)
  const tools = opening.tools.map((tool) => tool.name)
  await noteSaid(desk, { system_prompt: system, prompt, knowledge, tools, model })
  const turns = new Turns(desk, conversation, choice)
  let answers: ToolAnswer[] = []
  let objection: string | undefined
  let hasObjected = false
  while (turns.step < stepsAtMost) {
    await turns.mustHaveMoney()
    if (!(await mayCall(desk.work.ports, desk.work.run.owner_id, choice))) {
      return toWaitForBrain(desk.work, { reason: noPaidCall, usage: turns.usage })
    }
    const turn = await turns.next(answers, objection)
    objection = undefined
    if (turn.finish !== 'calls') {
      if (!hasObjected) objection = await objectionTo(desk, turn, turns.step)
      if (objection === undefined) return ended(desk, turn, turns)
      hasObjected = true
      answers = []
      continue
    }
    const question = turn.calls.map(questionOf).find((one) => one !== undefined)
    if (question !== undefined) return asked(desk, question, turns.usage)
    const brought = await answered(desk, turn, toolbox, turns)
    if (brought instanceof Parking) return brought
    answers = brought
  }
  return turns.fail('too_many_steps', `The model still called tools after ${stepsAtMost} steps.`)
}

/** Keeps what the model is about to be asked, and on the run which model it is. */
async function noteSaid({ work, scrub }: Desk, said: Said & { model: string }): Promise<void> {
  const { ports, run } = work
  const insert = await saidEvent(ports, run, 'model.request', said, scrub)
  const { model } = said
  // Who ends the run has this object too.
  run.model = model
  const { id, owner_id, claim } = run
  const update = { id, owner_id, ...(claim && { 'claim.token': claim.token }) }
  try {
    await ports.store.commit([
      { in: 'runs', update, change: { $set: { model } } },
      { in: 'run_events', insert },
    ])
    ports.waiting.tell(run.id)
  } catch (cause) {
    // The claim is lost, which the worker will notice.
    if (!(cause instanceof Unmet)) throw cause
  }
}

/** What a model is told whose result does not fit the schema of its task; once, then the run fails. */
async function objectionTo(
  { work, note, scrub }: Desk,
  { text, finish }: Turn,
  step: number,
): Promise<string | undefined> {
  if (finish === 'refused') return undefined
  const { misfits } = await heldOutput(work.ports, work.task, text.toWellFormed())
  if (!misfits) return undefined
  await note('output.invalid', { step, errors: misfits })
  return scrub(
    `This does not fit the JSON Schema. ${misfitWords(misfits)}. Answer again with the whole result, corrected.`,
  )
}

async function ended(desk: Desk, { text, finish }: Turn, turns: Turns): Promise<Result> {
  if (finish === 'refused') {
    const message = 'The model or its provider declined to do this.'
    return turns.fail('provider_refused', message)
  }
  if (finish === 'length') await desk.note('output.cut', { step: turns.step, reason: 'max_tokens' })
  return { output: text.toWellFormed(), usage: turns.usage }
}

/** What the calls of a turn brought, in their order: tools may depend on each other. Parking before one that is held. */
async function answered(
  desk: Desk,
  { calls }: Turn,
  { tools }: Toolbox,
  { step, usage }: Turns,
): Promise<ToolAnswer[] | Parking> {
  const answers: ToolAnswer[] = []
  for (const [i, call] of calls.entries()) {
    const { id: call_id, name } = call
    const tool = i < callsAtMost ? tools.get(name) : undefined
    // What a model is not told it may be told by its provider, which is sent the key.
    const input = await scrubbedInTurns(call.input, desk.scrub, desk.work.ports.clock)
    if (isHeld(desk, tool)) return heldCall(desk, { tool: name, input }, usage)
    const unfit =
      i < callsAtMost ? undefined : `At most ${callsAtMost} tools are called in one step.`
    const { text, isError } = await noted(desk, { step, call_id }, { tool: name, input }, () =>
      tool && !unfit
        ? tool.call(input, desk.work.signal)
        : Promise.reject(new ToolFault(unfit ?? 'There is no tool of this name.')),
    )
    const fenced = desk.fence.around(`answer of ${name}`, shortened(text, answerAtMost))
    answers.push({ call, text: fenced, isError })
  }
  return answers
}

/** Makes a call that a person has approved. */
async function madeCall(
  desk: Desk,
  call: { tool: string; input: unknown },
  tool: RunTool,
  approval_id: string,
): Promise<string> {
  const { text } = await noted(desk, { step: 0, approval_id }, call, () =>
    tool.call(call.input, desk.work.signal),
  )
  return text
}

/** Calls a tool, with an event before it and one after it. @returns its answer without secrets */
async function noted(
  desk: Desk,
  about: Record<string, unknown>,
  { tool, input }: { tool: string; input: unknown },
  call: () => Promise<string>,
): Promise<Pick<ToolAnswer, 'text' | 'isError'>> {
  const { work, note } = desk
  work.signal.throwIfAborted()
  const of = { ...about, tool: shortened(tool, 200) }
  const sent = shortened(JSON.stringify(input ?? null), notedAtMost)
  await note('tool.called', { ...of, arguments: sent })
  const facts = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': of.tool }
  const step = { name: 'execute_tool', kind: 'internal', facts } as const
  const { text, isError } = await work.ports.traces.step(step, async (tell) => {
    const outcome = await outcomeOf(work, call)
    if (outcome.isError) tell({}, 'tool_fault')
    return outcome
  })
  // A token that the call was given first is among its secrets now.
  const clean = await scrubbedInTurns(text.toWellFormed(), desk.scrub, work.ports.clock)
  const result = shortened(clean, notedAtMost)
  const said = { ...of, result, ...(isError && { is_error: true }), ...marksOf(work.run) }
  await note('tool.answered', said)
  return { text: clean, isError }
}

async function outcomeOf(
  { signal }: Work,
  call: () => Promise<string>,
): Promise<Pick<ToolAnswer, 'text' | 'isError'>> {
  try {
    return { text: await call(), isError: false }
  } catch (cause) {
    signal.throwIfAborted()
    if (!(cause instanceof ToolFault)) throw cause
    return { text: cause.message, isError: true }
  }
}
