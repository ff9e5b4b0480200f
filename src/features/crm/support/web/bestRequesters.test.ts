import { expect, test } from 'vitest'
import { bestRequesters } from '#features/crm/support/web/bestRequesters.ts'

const person = (id: number, email: string | null = null) => ({ id, email })
const idOf = ({ id }: { id: number }) => id

test('the person whose address was typed comes first, however many have the name', () => {
  const bela = [person(1, 'bela@a.example'), person(2, 'bela@b.example'), person(3, null)]
  const jana = person(9, 'Jana@Elm.example')
  expect(bestRequesters([bela, [jana]], ['fontai', 'jana@elm.example'], idOf).map(idOf)).toEqual([9, 1, 2, 3])
})

test('people whom more of the texts found come before the others, each once', () => {
  const found = [[person(1), person(2), person(3)], [person(3)], [person(2), person(3)]]
  expect(bestRequesters(found, ['ann', '0123', 'lee'], idOf).map(idOf)).toEqual([3, 2, 1])
  expect(bestRequesters([[] as ReturnType<typeof person>[]], [], idOf)).toEqual([])
})
