import type { Brain } from '#src/agents/brain.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import { secretsFor } from '#src/agents/secrets/secrets.ts'
import type { Ports } from '#src/core/context.ts'
import {
  accessNames,
  modelProviders,
  type ModelName,
  type Models,
  type OwnAccess,
} from '#src/ports/model.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'

/** The model that does a run, and what its agent brings to reach it. */
export interface Choice {
  name: ModelName
  own: OwnAccess
}

const ownNames: ReadonlySet<string> = new Set(accessNames)
const known: ReadonlySet<string> = new Set(modelProviders)

/**
 * Whether no model can do a prompt run of this task, because no provider is configured at all. The
 * settings of its agent are not read, so the check is cheap enough for each new run.
 */
export function lacksModel(
  models: Pick<Models, 'isConfigured'>,
  task: Pick<StoredTask, 'selected_secrets'>,
): boolean {
  if (task.selected_secrets.some((name) => ownNames.has(name))) return false
  return !modelProviders.some((provider) => models.isConfigured(provider, {}))
}

/**
 * The model of a run: the task's `model_override`, else the brain's, else the operator's default.
 * Undefined where none is named, or its provider is not configured. @throws Unavailable
 */
export async function choiceOf(
  ports: Pick<Ports, 'models' | 'store' | 'sealer'>,
  task: StoredTask,
  character: Pick<StoredCharacter, 'brain'>,
): Promise<Choice | undefined> {
  const name = modelOf(task, character.brain, ports.models.defaultModel)
  if (!name) return undefined
  const own = ownOf(await secretsFor(ports, task))
  return ports.models.isConfigured(name.provider, own) ? { name, own } : undefined
}

/** Whether the operator's key is used, and not a key or an address that the agent brings. */
export function isPaidByOperator({ name, own }: Choice): boolean {
  if (name.provider === 'anthropic') return own['ANTHROPIC_API_KEY'] === undefined
  return own['OPENAI_API_KEY'] === undefined && !own['OPENAI_BASE_URL']
}

function ownOf(secrets: Readonly<Record<string, string>>): OwnAccess {
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => ownNames.has(name)))
}

/** What a task and a brain name together. */
export function modelOf(
  { model_override }: Pick<StoredTask, 'model_override'>,
  brain: Pick<Brain, 'llm_provider' | 'llm_model'> | null | undefined,
  fallback: ModelName | undefined,
): ModelName | undefined {
  const wanted = model_override || brain?.llm_model
  const provider = brain?.llm_provider || fallback?.provider
  if (wanted) return named(wanted, provider)
  // A provider without a model can only be the default's own.
  return provider === fallback?.provider ? fallback : undefined
}

/** `provider/model`, or the model alone; its own name may hold slashes too. */
function named(text: string, provider: string | undefined): ModelName | undefined {
  const at = text.indexOf('/')
  const before = text.slice(0, Math.max(at, 0))
  if (known.has(before) && at + 1 < text.length) {
    return { provider: before, model: text.slice(at + 1) }
  }
  return provider ? { provider, model: text } : undefined
}
