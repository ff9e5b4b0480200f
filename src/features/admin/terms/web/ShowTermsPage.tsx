import { useParams } from '@tanstack/react-router'
import { terms, type Terms } from '#features/admin/terms/contract.ts'
import { TermsText } from '#features/admin/terms/web/TermsText.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { RecordSteps } from '#web/record/RecordSteps.tsx'
import { RecordPage } from '#web/record/RecordPage.tsx'
import { PanesHead, PanesPage } from '#web/sheet/PanesPage.tsx'
import { NotFoundPage } from '#web/shell/NotFoundPage.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'

/** Page that shows a version of the terms, or its differences from another version. */
export function ShowTermsPage() {
  const { term = '' } = useParams({ strict: false }) as { term?: string }
  const id = /^[1-9]\d{0,8}$/.test(term) ? Number(term) : undefined
  if (id === undefined) return <NotFoundPage />
  return (
    <RecordPage<{ data: Terms }> asked={queryOptionsFor(terms.show, { params: { id } })} title="Terms">
      {({ data }) => (
        <PanesPage>
          <PanesHead>
            <PageHeader title={`Version ${data.id}`} parents={[['/term&conditions', 'Terms & conditions']]}>
              <RecordSteps />
            </PageHeader>
          </PanesHead>
          <TermsText key={data.id} shown={data} />
        </PanesPage>
      )}
    </RecordPage>
  )
}
