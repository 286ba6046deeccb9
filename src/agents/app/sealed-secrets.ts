import { parsedSteps } from '#src/core/input/json-steps.ts'
import { textSteps } from '#src/core/input/text-steps.ts'
import { atOnce, type Steps } from '#src/core/turns/portions.ts'
import type { Sealer } from '#src/core/seal.ts'
import type { AppRevision } from './app.ts'

function sealedFor(id: string): { id: string; purpose: string } {
  return { id, purpose: 'manifest_secrets' }
}

/** The secrets of a manifest, sealed for the revision with this id; null where there are none. */
export function sealedSecrets(
  id: string,
  secrets: Readonly<Record<string, string>>,
  sealer: Pick<Sealer, 'sealSteps'>,
): string | null {
  return atOnce(sealedSecretSteps(id, secrets, sealer))
}

/** The same in steps: a manifest may have 20,000. */
export function* sealedSecretSteps(
  id: string,
  secrets: Readonly<Record<string, string>>,
  sealer: Pick<Sealer, 'sealSteps'>,
): Steps<string | null> {
  if (Object.keys(secrets).length === 0) return null
  const text = yield* textSteps(secrets)
  return yield* sealer.sealSteps(text, sealedFor(id))
}

/** The secrets of a stored manifest, by the pointers of their masks. */
export function revisionSecrets(
  revision: Pick<AppRevision, 'id' | 'secrets'>,
  sealer: Pick<Sealer, 'open'>,
): Record<string, string> {
  return atOnce(revisionSecretSteps(revision, sealer))
}

/** The same in steps. */
export function* revisionSecretSteps(
  { id, secrets }: Pick<AppRevision, 'id' | 'secrets'>,
  sealer: Pick<Sealer, 'open'>,
): Steps<Record<string, string>> {
  if (secrets === null) return {}
  const text = sealer.open(secrets, sealedFor(id))
  yield
  // What `sealedSecrets` sealed.
  return (yield* parsedSteps(text)) as Record<string, string>
}
