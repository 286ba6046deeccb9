import { refuse } from '#src/core/errors.ts'
import { call } from '#src/core/words/reference.ts'
import type { StoredCharacter } from '../character.ts'

const namesAtMost = 10

/** @throws Refusal `channel_not_found` always, with the channels that the agent has */
export function refuseNoChannel(
  { id, control }: Pick<StoredCharacter, 'id' | 'control'>,
  name: string,
): never {
  const names = (control?.channels ?? [])
    .slice(0, namesAtMost)
    .map((one) => `"${one.name.slice(0, 100)}"`)
  return refuse('channel_not_found', `"${id}" has no channel "${name.slice(0, 100)}".`, {
    hint:
      names.length > 0
        ? `It has ${names.join(', ')}.`
        : `${call('characters.update', { char_id: id })} gives it one, in control.channels.`,
  })
}
