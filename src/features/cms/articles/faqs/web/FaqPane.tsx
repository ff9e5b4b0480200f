import { useQuery } from '@tanstack/react-query'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import { faqs, type Faq, type FaqRow } from '#features/cms/articles/faqs/contract.ts'
import { PublishFaq, useWhyNotFaq } from '#features/cms/articles/faqs/web/FaqActions.tsx'
import { FaqAnswer } from '#features/cms/articles/faqs/web/FaqAnswer.tsx'
import classes from '#features/cms/articles/faqs/web/faqs.module.css'
import { policies } from '#features/cms/articles/rules.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import type { OpenRecord } from '#web/list/inbox/Inbox.tsx'
import { PaneHead } from '#web/list/inbox/PaneHead.tsx'
import { RecordPane } from '#web/list/inbox/RecordPane.tsx'
import { TextLink } from '#web/parts/controls.tsx'

/** An FAQ beside the list, as readers see it. */
export default function FaqPane({ id }: OpenRecord<FaqRow>) {
  const params = { slug: String(id) }
  const query = useQuery(queryOptionsFor(faqs.show, { params }))
  const may = useMay(faqs.show, { params })
  return (
    <RecordPane query={query} one="FAQ" may={may}>
      {({ data }) => <Preview faq={data} />}
    </RecordPane>
  )
}

function Preview({ faq }: { faq: Faq }) {
  const mayEdit = useMay(faqs.update)
  const why = useWhyNotFaq(policies.faq.update, faq)
  return (
    <>
      <PaneHead title="Preview" about={`${faq.category_title}, position ${faq.order_number}`}>
        <PublishFaq faq={faq} />
        {mayEdit && why === undefined && (
          <TextLink
            to={`/faqs/update-faq/${encodeURIComponent(faq.slug)}`}
            icon={<IconPencil size={14} aria-hidden />}
          >
            Edit
          </TextLink>
        )}
      </PaneHead>
      <div className={classes.preview} tabIndex={0} role="region" aria-label={faq.title}>
        <FaqAnswer faq={faq} />
      </div>
    </>
  )
}
