import { placeholdersIn } from '#src/agents/tasks/placeholders.ts'
import type { Task } from '#src/agents/tasks/task.ts'
import type { Field as FormField } from '#src/money/orders/forms/field.ts'

/** A field of the form by which a person runs a task. */
export interface RunField extends Pick<FormField, 'type' | 'required' | 'options'> {
  /** In the form of the page. */
  name: string
  label: string
  placeholder: string | null
  /** What the task itself gives. */
  initial: string
  /** The variable that it is, or where in the input it stands; what a form asks for stands there even if it is empty. */
  into: { variable: string } | { path: readonly string[]; isAlways?: true }
}

/** More fields than that are no form any more: the whole input is still there. */
const fieldsAtMost = 40

type Asking = Pick<Task, 'prompt' | 'variables' | 'variable_types' | 'form_schema'>

/** What a task asks its runs for: its variables, the fields of its form, and what else its prompt names. */
export function fieldsOf(task: Asking): RunField[] {
  const { variables, variable_types, form_schema } = task
  const named = new Set([...Object.keys(variable_types), ...Object.keys(variables)])
  const paths = namedIn(task)
  const isNeeded = new Set(paths.map((path) => path.join('.')))
  const ofVariables = [...named].map((variable) => {
    const field = variableField(task, variable)
    return { ...field, required: isNeeded.has(variable) && field.initial === '' }
  })
  const keys = new Set(form_schema?.fields.map(({ key }) => key))
  const ofForm = (form_schema?.fields ?? []).map((field) => memberField(field))
  const ofPrompt = paths
    .filter((path) => !named.has(path.join('.')) && !keys.has(path[0] ?? ''))
    .map((path) => pathField(path))
  return [...ofForm, ...ofPrompt, ...ofVariables].slice(0, fieldsAtMost)
}

function variableField({ variables, variable_types }: Asking, variable: string): RunField {
  const type = Object.hasOwn(variable_types, variable) ? variable_types[variable] : undefined
  const isYesOrNo = type === 'boolean'
  return {
    name: `variable.${variable}`,
    label: variable,
    type: isYesOrNo ? 'select' : type === 'json' ? 'textarea' : (type ?? 'text'),
    required: false,
    options: isYesOrNo ? ['true', 'false'] : [],
    placeholder: null,
    initial: (Object.hasOwn(variables, variable) ? variables[variable] : undefined) ?? '',
    into: { variable },
  }
}

function memberField({ key, label, placeholder, ...field }: FormField): RunField {
  const { type, required, options } = field
  return {
    name: `member.${key}`,
    label: label ?? key,
    type: type.trim().toLowerCase(),
    required,
    options,
    placeholder,
    initial: '',
    into: { path: [key], isAlways: true },
  }
}

function pathField(path: readonly string[]): RunField {
  return {
    name: `member.${path.join('.')}`,
    label: path.join('.'),
    type: 'text',
    // A run fails for a name in its prompt that nothing gives.
    required: true,
    options: [],
    placeholder: null,
    initial: '',
    into: { path },
  }
}

/** The members of the input that a prompt names, by their paths. */
function namedIn({ prompt }: Asking): string[][] {
  const names = [...placeholdersIn(prompt)].map(({ name }) =>
    name.startsWith('input.') ? name.slice('input.'.length) : name,
  )
  const members = names.filter((name) => name !== 'input' && !/^secret(?:\.|$)/.test(name))
  return [...new Set(members)].map((name) => name.split('.'))
}
