import type { SignUp } from '../admission/sign-up-mode.ts'
import { whomToAsk } from '../admission/sign-up.ts'
import { Refusal } from '../errors.ts'

/** Where the operator is named whom a refusal sends people to. */
interface Named {
  signUp: Pick<SignUp, 'contact'>
}

/** The refusal of every credential of an account that the operator has suspended. */
export function accountSuspended({ signUp }: Named): Refusal {
  return new Refusal(
    'account_suspended',
    'The operator of this server has suspended the account.',
    {
      hint: `${whomToAsk(signUp)} What the account has is kept, and its runs wait; another key of it is refused too.`,
    },
  )
}

/**
 * Checks for those who come without a credential of an account, to what is its.
 * @throws Refusal `account_suspended`
 */
export function mustNotBeSuspended(
  account: { suspended_at?: string } | undefined,
  settings: Named,
): void {
  if (account?.suspended_at === undefined) return
  throw new Refusal('account_suspended', 'The operator of this server has suspended its account.', {
    hint: whomToAsk(settings.signUp),
  })
}
