/** What homes publish to other ecosystems. Answers contain setup codes: only admins in person get them. */
import {
  NewPublication,
  PreviewRequest,
  Publication,
  PublicationBridge,
  PublicationChanges,
  PublicationController,
  PublicationPreview,
  type PublicationPreviewItem,
  type PublicationRemark,
  type PublicationSelection,
  WindowRequest,
} from '../../contract/publications.ts';
import { presentController, presentPublication } from '../present/publication.ts';
import { given, type Maybe } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { argumentsOf, fieldsOf, inputFieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';

const AUDIENCE = 'For admins of its home, signed in.';
const { selection: Selection } = Publication.shape;
const CHANGED_LOCK_PIN = 'Another PIN for locks, 4 to 8 digits. An empty text removes it. Never shown afterwards.';
const EVERY = { list: false, items: false } as const;

const SelectionFields = builder.objectRef<PublicationSelection>('PublicationSelection').implement({
  description: 'What a publication publishes.',
  fields: (t) => fieldsOf(t, Selection.required()),
});

const SelectionInput = builder.inputType('PublicationSelectionInput', {
  description: 'What a publication publishes, whole: a list that is left out is empty.',
  fields: (t) => inputFieldsOf(t, Selection),
});

const Bridge = builder.objectRef<PublicationBridge>('PublicationBridge').implement({
  description: 'One server of a publication on the network. Fields of the other kind are null.',
  fields: (t) => fieldsOf(t, PublicationBridge),
});

const Controller = builder.objectRef<PublicationController>('PublicationController').implement({
  description: 'A phone, a hub or another controller that is paired with a publication. Times are ISO 8601 in UTC.',
  fields: (t) => fieldsOf(t, PublicationController),
});

const PublicationInfo = builder.objectRef<Publication>('Publication').implement({
  description: 'A home, or a part of it, shown to another ecosystem.',
  fields: (t) => ({
    ...fieldsOf(t, Publication),
    selection: t.expose('selection', {
      type: SelectionFields,
      nullable: false,
      description: 'What it publishes.',
    }),
    bridges: t.expose('bridges', {
      type: [Bridge],
      nullable: EVERY,
      description: 'One, and another for each 149 accessories and what must stand alone.',
    }),
    controllers: t.field({
      type: [Controller],
      nullable: EVERY,
      description: 'What is paired with it.',
      resolve: ({ id }, _, context) => controllersOf(context, id),
    }),
  }),
});

const Remark = builder.objectRef<PublicationRemark>('PublicationRemark').implement({
  description: 'Why something can’t be published, or what to expect: a sentence by its code.',
  fields: (t) => fieldsOf(t, PublicationPreview.shape.remarks.element),
});

const PreviewItem = builder.objectRef<PublicationPreviewItem>('PublicationPreviewItem').implement({
  description: 'One thing that a publication names, and what becomes of it.',
  fields: (t) => ({
    ...fieldsOf(t, PublicationPreview.shape.items.element),
    remarks: t.expose('remarks', {
      type: [Remark],
      nullable: EVERY,
      description: 'What `reason` or `note` consists of, for sentences in another language.',
    }),
  }),
});

const PreviewBridge = builder.objectRef<PublicationPreview['bridges'][number]>('PublicationPreviewBridge').implement({
  description: 'A bridge that a publication takes.',
  fields: (t) => fieldsOf(t, PublicationPreview.shape.bridges.element),
});

const Preview = builder.objectRef<PublicationPreview>('PublicationPreview').implement({
  description: 'What a publication would look like.',
  fields: (t) => ({
    ...fieldsOf(t, PublicationPreview),
    items: t.expose('items', {
      type: [PreviewItem],
      nullable: EVERY,
      description: 'Everything that the selection names, by name.',
    }),
    bridges: t.expose('bridges', {
      type: [PreviewBridge],
      nullable: EVERY,
      description: 'The bridges that this takes.',
    }),
    remarks: t.expose('remarks', {
      type: [Remark],
      nullable: EVERY,
      description: 'One for each of `warnings`, for sentences in another language.',
    }),
  }),
});

const DeleteResult = builder.objectRef<ActionResult & { publicationId: string }>('DeletePublicationResult').implement({
  description: 'Whether a publication was deleted.',
  interfaces: [MutationResult],
  fields: (t) => ({ publicationId: t.exposeString('publicationId', { description: 'The publication.' }) }),
});

const RemoveControllerResult = builder
  .objectRef<ActionResult & { publicationId: string; identifier: string }>('RemovePublicationControllerResult')
  .implement({
    description: 'Whether a controller was removed.',
    interfaces: [MutationResult],
    fields: (t) => ({
      publicationId: t.exposeString('publicationId', { description: 'The publication.' }),
      identifier: t.exposeString('identifier', { description: 'The controller.' }),
    }),
  });

function controllersOf({ caller, deps }: GraphqlContext, id: string): PublicationController[] {
  return deps.publications.controllers(caller, id).map(presentController);
}

type SelectionArgument = typeof SelectionInput.$inferInput;
type GivenSelection = { [Key in keyof SelectionArgument]: Exclude<SelectionArgument[Key], null> };

/** The given arguments, with the given lists of the selection. */
function chosen<T extends { readonly selection?: Maybe<SelectionArgument> }>({ selection, ...others }: T) {
  return { ...given(others), ...(selection && { selection: given(selection) as GivenSelection }) };
}

builder.queryFields((t) => ({
  publications: t.field({
    type: [PublicationInfo],
    nullable: LIST,
    description:
      'What a home publishes, or every home that the caller manages, by name. For admins of the home, signed in.',
    args: { homeId: t.arg.string() },
    resolve: (_, { homeId }, { caller, deps }) =>
      deps.publications.list(caller, homeId ?? undefined).map(presentPublication),
  }),
  publication: t.field({
    type: PublicationInfo,
    description: `One publication. ${AUDIENCE}`,
    args: { publicationId: t.arg.string({ required: true }) },
    resolve: (_, { publicationId }, { caller, deps }) =>
      presentPublication(deps.publications.get(caller, publicationId)),
  }),
  publicationControllers: t.field({
    type: [Controller],
    nullable: LIST,
    description: `What is paired with a publication. ${AUDIENCE}`,
    args: { publicationId: t.arg.string({ required: true }) },
    resolve: (_, { publicationId }, context) => controllersOf(context, publicationId),
  }),
  publicationPreview: t.field({
    type: Preview,
    description:
      'What a publication would look like, before it is saved: what is published, as what, what can’t be and why. For admins of the home, signed in.',
    args: {
      ...argumentsOf(t.arg, PreviewRequest.omit({ selection: true })),
      selection: t.arg({ type: SelectionInput, description: 'The whole home if left out.' }),
    },
    resolve: (_, { kind, ...request }, { caller, deps }) => {
      return deps.publications.preview(caller, { kind, ...chosen(request) });
    },
  }),
}));

builder.mutationFields((t) => {
  const publicationId = t.arg.string({ required: true });
  return {
    createPublication: t.field({
      type: PublicationInfo,
      description:
        'Creates a publication and opens it: controllers find it at once. For admins of the home, signed in.',
      args: {
        ...argumentsOf(t.arg, NewPublication.omit({ selection: true })),
        selection: t.arg({ type: SelectionInput, description: 'The whole home if left out.' }),
      },
      resolve: async (_, { name, kind, ...choices }, { caller, deps }) =>
        presentPublication(await deps.publications.create(caller, { name, kind, ...chosen(choices) })),
    }),
    updatePublication: t.field({
      type: PublicationInfo,
      description: `Renames a publication, or changes what it publishes or its PIN for locks; what is left out stays. ${AUDIENCE}`,
      args: {
        publicationId,
        ...argumentsOf(t.arg, PublicationChanges.omit({ selection: true, lockPin: true })),
        lockPin: t.arg.string({ description: CHANGED_LOCK_PIN }),
        selection: t.arg({ type: SelectionInput, description: 'Replaces all of it.' }),
      },
      resolve: async (_, { publicationId: id, ...changes }, { caller, deps }) =>
        presentPublication(await deps.publications.update(caller, id, chosen(changes))),
    }),
    pausePublication: t.field({
      type: PublicationInfo,
      description: `Closes a publication until it is resumed: its accessories don’t answer. ${AUDIENCE}`,
      args: { publicationId },
      resolve: async (_, { publicationId: id }, { caller, deps }) =>
        presentPublication(await deps.publications.pause(caller, id)),
    }),
    resumePublication: t.field({
      type: PublicationInfo,
      description: `Opens a paused publication; its controllers find it again by themselves. ${AUDIENCE}`,
      args: { publicationId },
      resolve: async (_, { publicationId: id }, { caller, deps }) =>
        presentPublication(await deps.publications.resume(caller, id)),
    }),
  };
});

builder.mutationFields((t) => {
  const publicationId = t.arg.string({ required: true });
  return {
    openPublicationWindow: t.field({
      type: PublicationInfo,
      description: `Lets another Matter controller be added for a while, with the codes of the answer. ${AUDIENCE}`,
      args: { publicationId, ...argumentsOf(t.arg, WindowRequest) },
      resolve: async (_, { publicationId: id, ...window }, { caller, deps }) =>
        presentPublication(await deps.publications.openWindow(caller, id, given(window))),
    }),
    closePublicationWindow: t.field({
      type: PublicationInfo,
      description: `Ends that before its time. ${AUDIENCE}`,
      args: { publicationId },
      resolve: async (_, { publicationId: id }, { caller, deps }) =>
        presentPublication(await deps.publications.closeWindow(caller, id)),
    }),
    removePublicationController: t.field({
      type: RemoveControllerResult,
      description: `Removes a controller from a publication; with the last admin all of them go. ${AUDIENCE}`,
      args: { publicationId, identifier: t.arg.string({ required: true }) },
      resolve: (_, { publicationId: id, identifier }, { caller, deps }) =>
        reportOutcome(
          () => {
            deps.publications.removeController(caller, id, identifier);
            return { publicationId: id.toLowerCase(), identifier };
          },
          { publicationId: id, identifier },
        ),
    }),
    resetPublication: t.field({
      type: PublicationInfo,
      description: `Gives a publication another identity and other codes: every controller must be paired again. ${AUDIENCE}`,
      args: { publicationId },
      resolve: async (_, { publicationId: id }, { caller, deps }) =>
        presentPublication(await deps.publications.reset(caller, id)),
    }),
    deletePublication: t.field({
      type: DeleteResult,
      description: `Deletes a publication with its identity, for good. ${AUDIENCE}`,
      args: { publicationId },
      resolve: (_, { publicationId: id }, { caller, deps }) =>
        reportOutcome(
          async () => {
            await deps.publications.delete(caller, id);
            return { publicationId: id.toLowerCase() };
          },
          { publicationId: id },
        ),
    }),
  };
});
