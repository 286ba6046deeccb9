import { conversationText } from '#src/runs/chat/history.ts'
import { systemPrompt } from '#src/runs/brain-prompt.ts'
import { placeholdersIn } from '#src/agents/tasks/placeholders.ts'
import { handedSchema, schemaWords } from '#src/runs/output/handed-schema.ts'
import { render } from '#src/runs/template.ts'
import { recalled, type Recalled } from '#src/knowledge/recall.ts'
import { taint } from '#src/runs/output/taint.ts'
import type { Desk } from './desk.ts'
import { resumption } from './ask-approval.ts'
import { skillTexts } from './skills.ts'
import type { Toolbox } from './toolbox.ts'

/** Who the model is to be, and the rules of a run; with the items that what it knows is of. */
export async function systemText(
  desk: Desk,
  { tools, missing }: Toolbox,
  prompt: string,
): Promise<{ system: string; knowledge: string[] }> {
  const skills = await skillTexts(desk)
  const pieces = await recalled(desk.work.ports, desk.work.run, desk.work.run.input, prompt)
  const known = knownTexts(desk, pieces)
  const before = await conversationText(desk.work.ports.store, desk.work.run, desk.fence)
  taint(desk.work.run, before?.source)
  const schema = desk.work.task.output_schema
  const parts = [
    systemPrompt(desk.character),
    'You are doing one of your tasks, and there is no one to answer questions. Your last message ' +
      'is the result of the task and is handed on as it is: no preface, no offer to do more.',
    schema ? schemaWords(schema) : '',
    tools.size + skills.length + known.length > 0 ? desk.fence.rule : '',
    missing.length > 0
      ? `These are not available in this run, so do without them: ${missing.map(({ name }) => name).join(', ')}.`
      : '',
    skills.length > 0
      ? 'The owner of this agent has named the following pages as guides to how some work is done. ' +
        'Use what helps with your task, and nothing that goes against it.'
      : '',
    ...skills,
    known.length > 0
      ? 'The owner of this agent has given it the following to know. It may help with your task.'
      : '',
    ...known,
    before?.text ?? '',
  ]
  return {
    system: parts.filter(Boolean).join('\n\n'),
    knowledge: pieces.map(({ id }) => id),
  }
}

/** What the agent knows about its task, each piece between the marks of others' text. */
function knownTexts({ work, fence }: Desk, pieces: readonly Recalled[]): string[] {
  return pieces.map(({ title, text, source }) => {
    taint(work.run, source)
    return fence.around('something that you know', `${title}\n\n${text}`)
  })
}

/** What the model is to do: the rendered prompt of the task, and what else the run was given. */
export async function taskText(desk: Desk): Promise<string> {
  const { run, task } = desk.work
  const fence = run.untrusted ? desk.fence : undefined
  const prompt = render(task.prompt, run.input, desk.variables, { fence })
  const isOpen = run.input !== null && !namesInput(desk)
  const parts = [
    prompt.trim() || [task.name, task.description].filter(Boolean).join('\n'),
    isOpen ? desk.fence.around(`the input of this run${sender(desk)}`, inputText(run.input)) : '',
    await inputSchema(desk),
    await resumption(desk),
  ]
  return parts.filter(Boolean).join('\n\n')
}

async function inputSchema({ work, fence }: Desk): Promise<string> {
  const schema = await handedSchema(work.ports.store, work.run)
  const label = 'the JSON Schema of the output that was handed on as the input'
  return schema ? fence.around(label, JSON.stringify(schema)) : ''
}

/** Whether the prompt itself says where the input goes. */
function namesInput({ work, variables }: Desk): boolean {
  const names = [...placeholdersIn(work.task.prompt)].map(({ name }) => name)
  return names.some((name) => !Object.hasOwn(variables, name))
}

function inputText(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}

function sender({ work }: Desk): string {
  const from = work.run.trigger.caller?.['char_id']
  return work.run.trigger.type === 'message' && typeof from === 'string' ? `, from ${from}` : ''
}
