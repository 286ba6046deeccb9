import { given, nowhere, type Case, type Stage } from '../case.ts'

/**
 * Whose app an operation is for, in cases.
 * @param provisioned makes an app of the owner, and gives its id
 */
export function appRefusals(op: string, provisioned: (stage: Stage) => Promise<string>): Case[] {
  return [
    given({
      op,
      title: 'an app that does not exist is not found',
      as: 'owner',
      input: () => ({ app_id: nowhere }),
      refusal: 'app_not_found',
    }),
    given({
      op,
      title: "another account's app is forbidden",
      as: 'stranger',
      given: provisioned,
      input: (app_id) => ({ app_id }),
      refusal: 'forbidden',
    }),
  ]
}
