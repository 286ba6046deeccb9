import { memberAt } from '#src/core/maps.ts'
import type { StoredRun } from './run.ts'
import { RunFailure } from './failure.ts'
import type { Fence } from '#src/core/text/fence.ts'
import { filledIn, placeholdersIn } from '#src/agents/tasks/placeholders.ts'

/** Texts that a template may name, in addition to the run's input. */
export type Variables = Readonly<Record<string, string>>

/** How else a text is filled in. */
export interface Filling {
  /** Only where the text goes into a header or an environment: what `{{secret.NAME}}` stands for. */
  secrets?: Variables
  /** Only where the text goes to a model, and the input is of others: sets apart what is taken of it. */
  fence?: Fence | undefined
  /** What a failure calls the text: the member that it stands in; the prompt by default. */
  called?: string
}

/** The longest text that a run may make or be given. */
export const charactersAtMost = 2 ** 20
/** More places than this are not filled in: each is work, however little it brings. */
const placesAtMost = 10_000

const thePrompt = 'The prompt'

/**
 * The text with every `{{name}}` filled in: from the variables, from the members of the input by
 * dotted path, or `{{input}}` for all of it. Values that are not text are put in as JSON.
 * @throws RunFailure naming what is missing, or that a secret was asked for, or that it grows too long
 */
export function render(
  template: string,
  input: unknown,
  variables: Variables,
  filling: Filling = {},
): string {
  const { called = thePrompt } = filling
  const values = new Map<string, string>()
  let length = template.length
  let places = 0
  // Counted before it is built: a short template can name a long input many times.
  for (const { whole, name } of placeholdersIn(template)) {
    if (++places > placesAtMost) {
      const message = `${called} has more than ${placesAtMost} places to fill in.`
      throw new RunFailure('prompt_too_long', message)
    }
    const value = values.get(name) ?? valueOf(name, input, variables, filling)
    values.set(name, value)
    length += value.length - whole.length
    if (length > charactersAtMost) {
      throw new RunFailure(
        'prompt_too_long',
        `${called} with everything filled in is longer than ${charactersAtMost} characters.`,
      )
    }
  }
  return filledIn(template, (name) => values.get(name) ?? '')
}

function valueOf(
  name: string,
  input: unknown,
  variables: Variables,
  { secrets, fence, called = thePrompt }: Filling,
): string {
  if (secrets && name.startsWith('secret.')) return secretOf(name, secrets)
  if (name === 'secret' || name.startsWith('secret.')) {
    throw new RunFailure(
      'secret_in_prompt',
      `${called} asks for {{${name}}}: secrets go into headers and environments only.`,
    )
  }
  const isOwn = Object.hasOwn(variables, name)
  const value = isOwn ? variables[name] : lookUp(input, name)
  if (value === undefined) {
    throw new RunFailure('variable_missing', `${called} needs {{${name}}}, and nothing gives it.`)
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return fence && !isOwn ? fence.around(name, text) : text
}

function secretOf(name: string, secrets: Variables): string {
  const wanted = name.slice('secret.'.length)
  const value = Object.hasOwn(secrets, wanted) ? secrets[wanted] : undefined
  if (value !== undefined) return value
  throw new RunFailure(
    'secret_missing',
    `{{${name}}} is asked for, and the task does not select it or its agent does not have it.`,
  )
}

function lookUp(input: unknown, name: string): unknown {
  if (name === 'input') return input ?? ''
  return memberAt(input, name.startsWith('input.') ? name.slice('input.'.length) : name)
}

/**
 * The variables of a run: the task's, overlaid by those of the call, each of its declared type.
 * @throws RunFailure `variable_invalid` naming the one that is not of its type
 */
export function variablesOf(
  task: { variables: Variables; variable_types: Variables },
  run: Pick<StoredRun, 'variables'>,
): Variables {
  const variables: Record<string, string> = { ...task.variables, ...run.variables }
  for (const [name, type] of Object.entries(task.variable_types)) {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (value !== undefined && !isOfType(value, type)) {
      throw new RunFailure('variable_invalid', `The variable "${name}" is not of type ${type}.`)
    }
  }
  return variables
}

function isOfType(value: string, type: string): boolean {
  if (type === 'number') return value.trim() !== '' && Number.isFinite(Number(value))
  if (type === 'boolean') return value === 'true' || value === 'false'
  if (type !== 'json') return true
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}
