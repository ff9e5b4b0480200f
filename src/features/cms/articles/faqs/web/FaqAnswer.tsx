import { useState } from 'react'
import { writtenHost } from '#shared/urls.ts'
import { faqs, type Faq } from '#features/cms/articles/faqs/contract.ts'
import classes from '#features/cms/articles/faqs/web/faqs.module.css'
import { useUnpublishedPosts } from '#features/cms/articles/posts/web/useLinksToPosts.tsx'
import { ArticleFrame, ArticleMain, NoContentYet } from '#features/cms/articles/shared/web/ArticleFrame.tsx'
import { PublishedAt, PublishedState } from '#features/cms/articles/shared/web/PublishedState.tsx'
import { useMay, useSend } from '#web/api/useSend.ts'
import { useStaff } from '#web/filter/useOptions.ts'
import { Facts } from '#web/record/Facts.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { LinkCard } from '#web/richtext/LinkCard.tsx'
import { RichText } from '#web/richtext/RichText.tsx'
import { Select } from '#web/parts/controls.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'

/** An FAQ as readers see it, and what is known about it. */
export function FaqAnswer({ faq }: { faq: Faq }) {
  const unpublished = useUnpublishedPosts(faq.body)
  return (
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
  return <LinkCard href={video} name={`Video on ${writtenHost(video)}`} />
}

/** The author of an FAQ, which roles 0 and 1 can change. */
function FaqAuthor({ faq }: { faq: Faq }) {
  const [wanted, setWanted] = useState<number>()
  const staff = useStaff()
  const params = { slug: String(faq.id) }
  const { announceAct } = useUndo()
  const { send } = useSend(faqs.handOver, {
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
