import type { DoorTerms } from '#adapters/http/doors.ts'
import { Intake } from '#adapters/http/intake/intake.ts'
import type { AdmittingCore, Core } from '#src/core/door.ts'
import { silent } from '#tests/support/world.ts'
import type { KeyCaller } from '#src/core/admission/caller.ts'
import { Refusal } from '#src/core/errors.ts'

/** What a door shares with other doors, for a single one. */
export function doorTerms(
  core: DoorTerms['core'],
  originPolicy: DoorTerms['originPolicy'] = () => false,
): DoorTerms {
  return {
    log: silent,
    core,
    intake: new Intake(),
    originPolicy,
    publicUrl: () => 'http://127.0.0.1:8080',
    spent: () => undefined,
  }
}

/** A core without operations, behind an application that serves pages alone. */
export function withoutOperations(core: Core): AdmittingCore {
  return {
    catalog: [],
    serve: (call) => core.serve(call),
    identify: (sent) => core.identify(sent),
    admit: () => Promise.reject(new Error('there are no operations')),
  }
}

/** A core without operations and keys. */
export const emptyCore: Core = {
  catalog: [],
  serve: () => Promise.reject(new Error('no operation is called here')),
  identify: () => Promise.reject(new Refusal('invalid_credential', 'There are no keys here.')),
}

/** A core that knows the token `good`, as that of an account. */
export const coreWithKey: Core = {
  ...emptyCore,
  identify: (sent) => (sent === 'good' ? Promise.resolve(account) : emptyCore.identify(sent)),
}

const account: KeyCaller = {
  kind: 'key',
  subject: 'acc_1',
  accountId: 'acc_1',
  keyId: 'key_1',
  charId: undefined,
  setsPolicy: true,
  claimed: false,
  key: { id: 'key_1', name: 'test', scope_char_id: null },
  personId: undefined,
}
