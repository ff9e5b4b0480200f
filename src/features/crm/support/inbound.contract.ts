import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { requiredText, storable, text } from '#shared/schemas.ts'
import { largestFile } from '#shared/files.ts'
import { mostFilesOfEmail } from '#shared/received-mails.ts'
import { int } from '#features/crm/support/parts.contract.ts'

export const inboundTickets = {
  receive: endpoint({
    method: 'POST',
    path: '/inbound/ticket',
    summary:
      'Receive an email from a mail gateway, authenticated by the shared secret in X-Inbound-Secret. Creates a ticket or adds to one, once per message_id.',
    act: 'Received',
    calledBy: 'mail gateways',
    access: 'public',
    inboundSecret: true,
    files: { attachment: { most: mostFilesOfEmail, maxBytes: largestFile, anyType: true } },
    keepGoodFiles: true,
    maxBytes: 1_500_000,
    body: z.object({
      message_id: requiredText(500),
      from: requiredText(254),
      /** Addresses of the headers To and Cc, separated by commas; a reply token in one leads to its record. */
      to: text(20_000).default(''),
      cc: text(20_000).default(''),
      name: text(200).default(''),
      subject: text(500).default(''),
      text: storable(z.string().max(500_000)).default(''),
      html: storable(z.string().max(1_000_000)).default(''),
      in_reply_to: text(2000).default(''),
      references: text(20_000).default(''),
      /**
       * Values of the headers Auto-Submitted and Precedence. Answers by machines (auto-replied, auto_reply)
       * open no ticket and are kept under Unsorted, Automatic.
       */
      auto_submitted: text(100).default(''),
      precedence: text(100).default(''),
    }),
    response: z.object({ message: z.string(), id: int.nullable() }),
  }),
}
