import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPage } from '#web/dom.testing.tsx'
import { OrganizationChoice } from '#web/form/OrganizationField.tsx'

const name = 'Organization of target 1'
const Page = () => <OrganizationChoice aria-label={name} value="" onChange={() => {}} />

test('the field has its name from the start, before its search has loaded', async () => {
  await renderPage(Page)
  expect(screen.getAllByLabelText(name)).not.toEqual([])
})
