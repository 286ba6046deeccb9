import { expect, it } from 'vitest'
import { contractHash, contractText, hashInTypes } from './client/contract.ts'

it('the types of the client are of the contract as it is', async () => {
  expect(await hashInTypes(), 'npm run client').toBe(contractHash())
})

it('the contract is told from another by all that is in it but for its examples', () => {
  const text = contractText()
  expect(text).toContain('"tasks_run"')
  expect(text).not.toContain('The ferry is late again.')
})
