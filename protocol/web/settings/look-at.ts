import { Refusal } from '#src/core/errors.ts'
import type { View, Visitor } from '#src/core/html/view.ts'
import { whoIs, type Terms } from '../ask.ts'
import { lookingAs, type Looking } from '../console/reader.ts'
import { notThere } from './settings-views.ts'

/**
 * The person and the account that the query names, or what is shown instead of one that is not theirs; undefined if no
 * one is signed in.
 */
export async function lookingAtAccount(
  terms: Terms,
  query: URLSearchParams,
  visitor: Visitor,
): Promise<Looking | View | undefined> {
  const { paths } = terms
  const accountId = query.get('account') ?? undefined
  const cursor = query.get('accounts') ?? undefined
  const me = await whoIs(terms, visitor, { accountId, cursor }).catch((cause: unknown) => {
    if (cause instanceof Refusal && cause.code === 'forbidden') return 'not held' as const
    throw cause
  })
  if (me === 'not held') {
    return notThere(paths, 'This account is not yours to see.', paths.settings())
  }
  return me && lookingAs(terms, visitor, me, accountId !== undefined)
}
