import { useState } from 'react'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import { useNavigate, useParams } from '@tanstack/react-router'
import { faqs, type Faq } from '#features/cms/articles/faqs/contract.ts'
import { faqFields } from '#features/cms/articles/faqs/fields.ts'
import { DeleteFaq, faqLists, PublishFaq, useWhyNotFaq } from '#features/cms/articles/faqs/web/FaqActions.tsx'
import classes from '#features/cms/articles/faqs/web/faqs.module.css'
import { useUnpublishedPosts } from '#features/cms/articles/posts/web/useLinksToPosts.tsx'
import { policies } from '#features/cms/articles/rules.ts'
import { ArticleFrame, ArticleMain, NoContentYet } from '#features/cms/articles/shared/web/ArticleFrame.tsx'
import { PublishedAt, PublishedState } from '#features/cms/articles/shared/web/PublishedState.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { useStaff } from '#web/filter/useOptions.ts'
import { useChanged } from '#web/live.ts'
import { byId, withWords } from '#web/record/fieldWords.ts'
import { Facts } from '#web/record/Facts.tsx'
import { RecordLayout, RecordPage } from '#web/record/RecordPage.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { Timeline } from '#web/record/Timeline.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { LinkCard } from '#web/richtext/LinkCard.tsx'
import { RichText } from '#web/richtext/RichText.tsx'
import { Select, TextLink } from '#web/parts/controls.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'

/** Page that shows an FAQ as readers see it, with its actions. */
export function FaqPage() {
  const { FAQ = '' } = useParams({ strict: false }) as { FAQ?: string }
  useChanged('faq', [faqs.show])
  return (
    <RecordPage<{ data: Faq }> asked={queryOptionsFor(faqs.show, { params: { slug: FAQ } })} title="FAQ">
      {({ data }) => <ShowFaq faq={data} />}
    </RecordPage>
  )
}

function ShowFaq({ faq }: { faq: Faq }) {
  const navigate = useNavigate()
  const staff = useStaff()
  const mayEdit = useMay(faqs.update)
  const why = useWhyNotFaq(policies.faq.update, faq)
  const unpublished = useUnpublishedPosts(faq.body)
  return (
    <>
      <RecordHeader type="faq" id={faq.id} title={faq.title} parents={[['/faqs', 'FAQs']]}>
        <PublishFaq faq={faq} />
        <DeleteFaq faq={faq} onDone={() => void navigate({ to: '/faqs' })} />
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
      <RecordLayout
        timeline={
          <Timeline type="faq" id={faq.id} fields={withWords(faqFields, { author_id: byId(staff) })} />
        }
      >
        <ArticleMain>
          <ArticleFrame title={faq.title} facts={<FaqLine faq={faq} />}>
            {faq.body ? (
              <RichText html={faq.body} unpublished={unpublished} />
            ) : (
              <NoContentYet>No answer yet.</NoContentYet>
            )}
            <Video faq={faq} />
          </ArticleFrame>
          <Facts
            title="About this FAQ"
            facts={[
              { name: 'URL', value: `/faqs/${faq.slug}` },
              { name: 'Old slugs', value: faq.old_slugs.join(', ') },
              { name: 'Position in category', value: String(faq.order_number) },
              { name: 'Author', value: <FaqAuthor faq={faq} /> },
            ]}
          />
        </ArticleMain>
      </RecordLayout>
    </>
  )
}

const FaqLine = ({ faq }: { faq: Faq }) => (
  <>
    <PublishedState published={faq.published} />
    <PublishedAt at={faq.published_at} />
    <PageLink to={`/faqcategories/${encodeURIComponent(faq.category_slug)}/posts`}>
      {faq.category_title}
    </PageLink>
  </>
)

/** Plays an uploaded file in place. A URL is only linked, so that nothing is fetched from third parties. */
function Video({ faq: { video, video_file, title } }: { faq: Faq }) {
  if (video_file)
    return (
      <video
        className={classes.video}
        controls
        preload="metadata"
        src={video_file.url}
        aria-label={`Video: ${title}`}
      />
    )
  if (video === '') return null
  return <LinkCard href={video} name={`Video on ${new URL(video).hostname.replace(/^www\./, '')}`} />
}

/** The author of an FAQ, which roles 0 and 1 can change. */
function FaqAuthor({ faq }: { faq: Faq }) {
  const [wanted, setWanted] = useState<number>()
  const staff = useStaff()
  const params = { slug: String(faq.id) }
  const { announceAct } = useUndo(faqLists)
  const { send } = useSend(faqs.handOver, {
    refresh: faqLists,
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      setWanted(undefined)
    },
  })
  if (!useMay(faqs.handOver, { params, body: { author_id: 1 } })) return faq.author.name
  return (
    <Select
      label="Author"
      value={String(wanted ?? faq.author.id)}
      options={[
        ...(staff.some(({ id }) => id === faq.author.id)
          ? []
          : [[String(faq.author.id), faq.author.name] as const]),
        ...staff.map(({ id, name }) => [String(id), name] as const),
      ]}
      onChoose={(id) => {
        setWanted(Number(id))
        void send({ params, body: { author_id: Number(id) } }).then((reply) => reply ?? setWanted(undefined))
      }}
    />
  )
}
