import type { Html } from '#src/core/html/html.ts'
import { tabs } from '../console/parts.ts'
import type { Paths } from '../paths.ts'

/** Both kinds of money: what models cost, and what is in the wallet. */
export function moneyTabs(paths: Paths, here: 'models' | 'wallet'): Html {
  const all = [
    { href: paths.spend(), label: 'Models', isHere: here === 'models' },
    { href: paths.spend({ of: 'wallet' }), label: 'Wallet', isHere: here === 'wallet' },
  ]
  return tabs(all, 'Money')
}
