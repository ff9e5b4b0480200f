import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import { useParams } from '@tanstack/react-router'
import { faqs, type Faq } from '#features/cms/articles/faqs/contract.ts'
import { faqFields } from '#features/cms/articles/faqs/fields.ts'
import { DeleteFaq, PublishFaq, useWhyNotFaq } from '#features/cms/articles/faqs/web/FaqActions.tsx'
import { FaqAnswer } from '#features/cms/articles/faqs/web/FaqAnswer.tsx'
import { policies } from '#features/cms/articles/rules.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { RecordLayout, RecordPage } from '#web/record/RecordPage.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { Timeline } from '#web/record/Timeline.tsx'
import { TextLink } from '#web/parts/controls.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useBackToList } from '#web/record/useBackToList.ts'

/** Page that shows an FAQ as readers see it, with its actions. */
export function FaqPage() {
  const { FAQ = '' } = useParams({ strict: false }) as { FAQ?: string }
  return (
    <RecordPage<{ data: Faq }> asked={queryOptionsFor(faqs.show, { params: { slug: FAQ } })} title="FAQ">
      {({ data }) => <ShowFaq faq={data} />}
    </RecordPage>
  )
}

function ShowFaq({ faq }: { faq: Faq }) {
  const backToList = useBackToList('/faqs')
  const mayEdit = useMay(faqs.update)
  const why = useWhyNotFaq(policies.faq.update, faq)
  return (
    <>
      <RecordHeader type="faq" id={faq.id} title={faq.title} parents={[['/faqs', 'FAQs']]}>
        <PublishFaq faq={faq} />
        <DeleteFaq faq={faq} onDone={backToList} />
        {mayEdit &&
          (why === undefined ? (
            <TextLink
              primary
              to={`/faqs/update-faq/${encodeURIComponent(faq.slug)}`}
              icon={<IconPencil size={14} aria-hidden />}
            >
              Edit
            </TextLink>
          ) : (
            <Soft as="span">Read-only: {why}</Soft>
          ))}
      </RecordHeader>
      <RecordLayout timeline={<Timeline type="faq" id={faq.id} fields={faqFields} />}>
        <FaqAnswer faq={faq} />
      </RecordLayout>
    </>
  )
}
