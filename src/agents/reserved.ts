import { ofApp } from '#src/core/ids.ts'
import { refuse } from '#src/core/errors.ts'

/** The app whose agents have ids of this form; undefined if the id is not reserved. */
export function reservedFor(charId: string): string | undefined {
  const at = charId.indexOf(ofApp)
  return at > 0 ? charId.slice(0, at) : undefined
}

/** @throws Refusal `id_reserved` always */
export function reserved(appId: string): never {
  return refuse('id_reserved', `Ids that begin with "${appId}--" belong to the app "${appId}".`, {
    hint: 'Choose an id without "--", or add the agent to the manifest of the app.',
  })
}
