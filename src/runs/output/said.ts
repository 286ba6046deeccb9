import { scrubbedInTurns } from '#src/agents/secrets/scrub-in-turns.ts'
import type { Scrub } from '#src/agents/secrets/scrubber.ts'
import type { Ports } from '#src/core/context.ts'
import { runEvent, type RunEvent } from '../events.ts'
import type { StoredRun } from '../run.ts'
import { shortened } from '#src/core/text/fence.ts'

/** What a brain is asked. */
export interface Said {
  system_prompt: string
  prompt: string
  /** The items of knowledge that pieces were taken from. */
  knowledge: readonly string[]
  /** Names of tools. */
  tools: readonly string[]
  /** `provider/model`. */
  model?: string
}

const charactersAtMost = 20_000
const namesAtMost = 200

/**
 * The event of what a brain is asked, clean of secrets; of longer texts their beginnings, with the length of the
 * rest. Without the texts where the account keeps none.
 */
export async function saidEvent(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  run: Pick<StoredRun, 'id' | 'owner_id'>,
  type: 'model.request' | 'lease.given',
  said: Said,
  scrub: Scrub,
): Promise<RunEvent> {
  const account = await store.accounts.get(run.owner_id)
  const { system_prompt, prompt, knowledge, tools, model } = said
  const keeps = account?.keep_prompts ?? true
  const texts = keeps ? await scrubbedInTurns({ system_prompt, prompt }, scrub, clock) : undefined
  const about = {
    ...(model !== undefined && { model: scrub(model) }),
    ...(texts && {
      system_prompt: shortened(texts.system_prompt.toWellFormed(), charactersAtMost),
      prompt: shortened(texts.prompt.toWellFormed(), charactersAtMost),
    }),
    knowledge: [...new Set(knowledge)],
    tools: tools.slice(0, namesAtMost).map((name) => shortened(scrub(name), namesAtMost)),
  }
  return runEvent(run.id, type, clock.now(), about)
}
