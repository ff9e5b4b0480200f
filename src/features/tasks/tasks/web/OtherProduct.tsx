import { Button } from '@mantine/core'
import { disciplineOf, type DisciplineName } from '#features/tasks/tasks/rules.ts'
import { EmptyState } from '#web/list/states.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { storeProduct, useMyProducts } from '#web/session.ts'

/**
 * Shown if the selected product has no tasks of this discipline. The menu entry is gone, so the page explains
 * why and offers to switch to another product (docs/spec-gaps.md G48).
 */
export function OtherProduct({ discipline }: { discipline: DisciplineName }) {
  const { products, names } = disciplineOf(discipline)
  const there = useMyProducts().find(({ id }) => products.includes(id))
  return (
    <>
      <PageHeader />
      <EmptyState
        title={`This product has no ${names.list.toLowerCase()}`}
        action={there && <Button onClick={() => storeProduct(there.id)}>Show {there.name}</Button>}
      >
        {there
          ? `Switch to ${there.name} to see them.`
          : 'These tasks are in a product you don’t have access to.'}
      </EmptyState>
    </>
  )
}
