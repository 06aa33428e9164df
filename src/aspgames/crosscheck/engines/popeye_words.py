"""The words of Popeye's language in English, German and French.

Words may be shortened to any beginning that no other word has, and capitals don't matter.
"""

from collections.abc import Iterable, Mapping

LANGUAGES = ("english", "german", "french")


def _columns(text: str) -> dict[str, dict[str, str]]:
    """For each language the words of a table, each with the English word of its row."""
    rows = [line.lower().split() for line in text.strip().splitlines()]
    return {
        language: {row[min(column, len(row) - 1)]: row[0] for row in rows}
        for column, language in enumerate(LANGUAGES)
    }


BEGINNINGS = {"beginproblem": "english", "anfangproblem": "german", "debutprobleme": "french"}
"""The words that begin a file, by the languages that they choose."""
COMMANDS = _columns("""
EndProblem EndeProblem FinProbleme
NextProblem WeiteresProblem ASuivre
Twin Zwilling Jumeau
ZeroPosition NullStellung ZeroPosition
Remark Bemerkung Remarque
SStipulation SForderung SEnonce
Author Autor Auteur
Origin Quelle Source
Pieces Steine Pieces
Condition Bedingung Condition
Option Option Option
Stipulation Forderung Enonce
Protocol Protokoll Protocol
Title Titel Titre
LaTeX
LaTeXPieces LaTeXSteine PiecesLaTeX
Award Auszeichnung Prix
InitialGameArray PartieAnfangsStellung PositionInitialePartie
Forsyth
""")
_OPTION_ROWS = """
Defence Widerlegung Defense
SetPlay Satzspiel Apparent
WhiteToPlay WeissBeginnt ApparentSeul
Variations Varianten Variantes
MoveNumbers Zugnummern Trace
StartMoveNumber StartZugnummer EnRoute
NoWk OhneWk SansRB
Duplex
NoBk OhneSk SansRN
Threat Drohung Menace
NoThreat OhneDrohung SansMenace
Try Verfuehrung Essais
MaxSolutions MaxLoesungen MaxSolutions
MaxFlightsquares MaxFluchtFelder MaxCasesFuites
MultiSolutions MehrereLoesungen MultiSolutions
NoSymmetry KeineSymmetrie NonSymetrique
NonTrivial NichtTrivial NonTrivial
KeepMatingPiece HalteMattsetzendenStein RetiensPieceMatante
EnPassant
NoBoard OhneBrett SansEchiquier
NoShortVariations OhneKurzVarianten SansVariantesCourtes
HalfDuplex HalbDuplex DemiDuplex
PostKeyPlay NachSchluessel ApresCle
Intelligent
MaxTime MaxZeit MaxTemps
NoCastling KeineRochade SansRoquer
Quodlibet
StopOnShortSolutions StopNachKurzloesungen FinApresSolutionsCourtes
Beep Pieps Bip
SuppressGrid OhneGitter SansGrille
WriteGrid ZeichneGitter AjouteGrille
CastlingMutuallyExclusive RochadenGegenseitigAusschliessend RoquesMutuellementExclusifs
GoalIsEnd ZielIstEnde ButEstFin
NullMoves NullZuege CoupsVides
UpToMoveNumber BisZugnummer JusquAuCoup
TrivialTriesAvoid TrivialeFehlversucheUnterdruecken TrivialEssaiSupprimer
MatesIn1 MattsIn1 MatsEn1
"""
OPTIONS = _columns(_OPTION_ROWS)
OPTION_NAMES = {row.split()[0].lower(): row.split()[0] for row in _OPTION_ROWS.split("\n") if row}
"""The options' names as Popeye writes them."""
COLOURS = _columns("""
White Weiss Blanc
Black Schwarz Noir
Neutral Neutral Neutre
TotalInvisible TotalUnsichtbar TotalInvisible
""")
ATTRIBUTES = _columns("""
Royal Koeniglich Royale
Kamikaze
Paralysing Paralysierend Paralysante
Chameleon Chamaeleon Cameleon
Jigger
Volage
Functionary Beamtet Fonctionnaire
HalfNeutral HalbNeutral DemiNeutre
HurdleColourChanging SprungbockFarbeWechselnd CouleurEchangeantSautoir
Protean Proteisch Protee
Magic Magisch Magique
Uncapturable Unschlagbar Imprenable
Patrol Patrouille Patrouille
Frischauf
Bul
Dob
Anda
AndaInverse AndaInvers AndaInverse
AliceA
AliceB
""")
CHANGES = _columns("""
Move Versetze Deplacement
Exchange Tausche Echange
Stipulation Forderung Enonce
SStipulation SForderung SEnonce
Add Hinzufuegen Ajoute
Remove Entferne Ote
Continued Ferner EnPlus
Rotate Drehung Rotation
Condition Bedingung Condition
PolishType Farbwechsel CouleurEchange
Mirror Spiegelung Miroir
Shift Verschiebung Translation
Substitute Ersetze Remplace
""")
"""The changes of a twin."""
PIECES = {
    "english": """
k p q s r b le ma pa va ro g n z ca gi rf bu we al fe da li ne l bp am em pr gn an sq wa dr ka
ss uu ha m ea sw ar rb c nh du cr zr gr ch zh gh ds bk eq ct bs sp rl bl si tr nd o eh mo rr br
ao oa rh bh ek bt gt sk cy cg rn rp ok 37 g2 g3 16 24 35 dg kh or 15 25 gl lr lb ln wr fr bi et
na rm re rw bm be bw ra so mg 36 nl ml mm f do rt bo qe qf qq b1 b2 b3 cp rk pp ls ze bn s2 s4
s1 s3 qn dk db no th lh ge gf kl ko kp sh gy ms po mp mh st se fa lo sa ah oh hc ee en sc""",
    "german": """
k b d s t l le ma pa va ro g n z ca gi wf bu we al fe da li ne h bb am kn pr gn an ei wa dr ka
ss uu ha el ad sp er rl kl nh du cr zr gr ch zh gh ds rs eq ct bs sb tl ll si tr nd o rd mo tj
lj ao oa th lh ek pf pn sk cy kg rn rh ok 37 g2 g3 16 24 35 dg kh or 15 25 gl ht hl hn wr fr bi
et na tc ta ts lc la ls ra so mg 36 nl ml mm f de he bo qe qf od b1 b2 b3 cb rp rb lr ze nr s2
s4 s1 s3 qn dt dl no uh bh gu gb lk ko sh sc gy ms po mb mc st se fa lo sa ah oh hk ae aq sr""",
    "french": """
r p d c t f le ma pa va ro s n z ch gi cc bu vi al fe da li eq l pb am im pr g an ec v dr ka cs
uu ha e ai m ar fr ca sn pi cn zn gn sc sz sg cd cr ea ct bs sp tl fl si tr ne o eh mo tc fc ao
oa st sf re bt gt sk cy sa rl rs ok 37 s2 s3 16 24 35 ds sr or 15 25 gl lt lf ln vs fs bi el na
et at mt ef af mf ra so mg 36 nl ml mm a dn la bo qa qf qq b1 b2 b3 pc cl pv lr ze nr n2 n4 n1
n3 qn dt df no sb se sm su kl ko sv ba gy cm po pm bm ep dg fa lo sl as os hc ae aq ss""",
}
"""The letters of all pieces; those of a piece have the same place in each language."""
ENGLISH = {
    language: dict(zip(letters.split(), PIECES["english"].split(), strict=True))
    for language, letters in PIECES.items()
}
"""For each language the letters of pieces, with the English letters."""
_CONDITIONS = """
Circe MirrorCirce Madrasi Volage Hypervolage BichromChess MonochromChess GridChess KoeKo
BlackEdgeMover WhiteEdgeMover Leofamily ChineseChess Patrouille PWC NoCapture ImmunChess
MirrorImmunChess ContactGridChess Imitator CavalierMajeur HaanerChess ChameleonCirce CouscousCirce
EquipollentsCirce FileCirce BlackMaximummer BlackMinimummer WhiteMaximummer WhiteMinimummer
MagicSquares Sentinelles Tibet DoubleTibet DiagramCirce Hole BlackMustCapture WhiteMustCapture
ReflectiveKings TransmutedKings BlackFollowMyLeader WhiteFollowMyLeader DuellistChess ParrainCirce
NoIProm SymmetryCirce VogtlaenderChess EinsteinChess Bicolores NewKoeko CirceClone AntiCirce
MirrorFileCirce AntipodeanCirce MirrorCirceClone MirrorAntiCirce DiagramAntiCirce FileAntiCirce
SymmetryAntiCirce MirrorFileAntiCirce AntipodeanAntiCirce EquipollentsAntiCirce FileImmunChess
DiagramImmunChess MirrorFileImmunChess SymmetryImmunChess AntipodeanImmunChess
EquipollentsImmunChess ReversalEinsteinChess SuperCirce RelegationChess NorskSjakk TraitorChess
AndernachChess WhiteForcedSquare WhiteConsequentForcedSquare BlackForcedSquare
BlackConsequentForcedSquare ChameleonChess FunctionaryChess GlasgowChess AntiAndernachChess
FrischAufCirce VerticalMirrorCirce Isardam ChecklessChess DiametralCirce PromOnly RankCirce
ExclusiveChess MarsCirce MarsMirrorCirce PhantomChess WhiteReflectiveKing BlackReflectiveKing
WhiteTransmutedKing BlackTransmutedKing AntiEinsteinChess MirrorCouscousCirce BlackRoyalSquare
WhiteRoyalSquare BrunnerChess PlusChess CirceAssassin PatienceChess RepublicanChess ExtinctionChess
CentralChess ActuatedRevolvingBoard MessignyChess Woozles BiWoozles Heffalumps BiHeffalumps
WhitePromSquares BlackPromSquares NoWhitePromotion NoBlackPromotion EiffelChess
BlackUltraSchachZwang WhiteUltraSchachZwang ActuatedRevolvingCentre ShieldedKings
LineChameleonChess NoWhiteCapture NoBlackCapture AprilChess AlphabeticChess CirceTurncoats
CirceDoubleAgents AMU SingleBox MAFF OWU WhiteOscillatingKings BlackOscillatingKings AntiKings
AntiMarsCirce AntiMarsMirrorCirce AntiMarsAntipodeanCirce WhiteSuperTransmutingKing
BlackSuperTransmutingKing AntiSuperCirce UltraPatrol SwappingKings RoyalDynasty SAT StrictSAT
Take&MakeChess BlackSynchronMover WhiteSynchronMover BlackAntiSynchronMover WhiteAntiSynchronMover
Masand BGL BlackChecks AnnanChess NormalPawn Lortap VaultingKings WhiteVaultingKing
BlackVaultingKing ProteanChess GenevaChess ChameleonPursuit AntiKoeko CastlingChess LosingChess
Disparate GhostChess HauntedChess ProvocationChess CageCirce Dummy Football ContraParrain
KobulKings ExchangeCastling WhiteAlphabeticChess BlackAlphabeticChess CirceTake&Make SuperGuards
Wormholes MarineChess UltramarineChess BackHome FaceToFace BackToBack CheekToCheek
ChameleonSequence AntiCloneCirce SnekChess SnekCircleChess LastCapture ArgentinianChess LostPieces
PartialParalysis VerticalSymmetryCirce HorizontalSymmetryCirce VerticalSymmetryAntiCirce
HorizontalSymmetryAntiCirce ImmuneVerticalSymmetry ImmuneHorizontalSymmetry LeseMajeste Rokagogo
Breton Make&TakeChess PointReflection NannaChess MasandGeneralised Bolero BoleroInverse Influencer
RoleExchange BlackMaxDister BlackMinDister WhiteMaxDister WhiteMinDister SeriesCapture DarkSide
Leffie Pepo CASTChess Bicaptures FuddledMen TransmissionMenace PowerTransfer MultiCaptures
AntiGuards FrankfurtChess Anda AndaInverse HalfInChess AllInChess MainlyInChess AliceChess
Immobilio PADChess DangerCirce #C
"""
_TRANSLATED = _columns("""
Circe
MirrorCirce SpiegelCirce CirceMalefique
Madrasi
BichromChess BichromesSchach Bichromatique
MonochromChess MonochromesSchach Monochromatique
GridChess Gitterschach Grille
KoeKo KoeKo Koeko
BlackEdgeMover SchwarzerRandzueger NoirBordCoup
WhiteEdgeMover WeisserRandzueger BlancBordCoup
Patrouille PatrouilleSchach Patrouille
PWC PlatzwechselCirce CirceEchange
NoCapture Ohneschlag SansPrises
EquipollentsCirce EquipollentsCirce CirceEquipollents
FileCirce
BlackMaximummer SchwarzerLaengstzueger NoirMaximum
BlackMinimummer SchwarzerKuerzestzueger NoirMinimum
WhiteMaximummer WeisserLaengstzueger BlancMaximum
WhiteMinimummer WeisserKuerzestzueger BlancMinimum
MagicSquares MagischeFelder CaseMagique
Hole Loch Trou
BlackMustCapture SchwarzerSchlagzwang NoirPriseForce
WhiteMustCapture WeisserSchlagzwang BlancPriseForce
ParrainCirce CirceParrain CirceParrain
SymmetryCirce SymmetrieCirce CirceSymetrique
CirceClone
AntiCirce
AntipodeanCirce AntipodenCirce CirceAntipoden
AndernachChess AndernachSchach EchecsAndernach
AntiAndernachChess AntiAndernachSchach EchecsAntiAndernach
Isardam
ChecklessChess OhneSchach SansEchecs
DiametralCirce DiametralCirce CirceDiametrale
ExclusiveChess ExklusivSchach EchecsExclusif
MarsCirce
NoWhiteCapture WeisserOhneSchlag BlancSansPrises
NoBlackCapture SchwarzerOhneSchlag NoirSansPrises
Take&MakeChess Take&MakeSchach Take&MakeEchecs
AnnanChess Annanschach AnnanEchecs
FaceToFace AngesichtZuAngesicht FaceAFace
BackToBack RueckenAnRuecken DosADos
VerticalSymmetryCirce VertikaleSymmetrieCirce CirceSymetriqueVerticale
HorizontalSymmetryCirce HorizontaleSymmetrieCirce CirceSymetriqueHorizontale
Lortap Elliuortap Elliuortap
SuperGuards SuperDeckungen Supergardes
EiffelChess EiffelSchach EchecsEiffel
CentralChess ZentralSchach EchecsCentral
Bicolores
Disparate
Tibet TibetSchach Tibet
DoubleTibet DoppeltibetSchach DoubleTibet
RoyalDynasty KoenigsDynastie DynastieRoyale
SAT
FrankfurtChess FrankfurtSchach Francfort
NannaChess Nannaschach NannaChess
PointReflection Punktspiegelung ReflexionCentrale
MultiCaptures
Bicaptures
HaanerChess HaanerSchach Haan
AntiKoeko
Volage
Hypervolage
GhostChess Geisterschach EchecsGhost
HauntedChess Spukschach EchecsHantes
DangerCirce GefahrenCirce CirceDanger
KobulKings KobulKoenige RoisKobul
MessignyChess MessignySchach EchecsMessigny
FunctionaryChess BeamtenSchach EchecsFonctionnaire
ChameleonChess ChamaeleonSchach EchecsCameleon
NewKoeko NeuKoeko KoekoNouveaux
AntiGuards AntiDeckungen Antigardes
Masand
SwappingKings TauschKoenige RoisEchanges
SingleBox NurPartiesatzSteine SingleBox
Woozles
BiWoozles
Heffalumps
BiHeffalumps
CASTChess CASTSchach CASTEchecs
EinsteinChess EinsteinSchach EchecsEinstein
ReversalEinsteinChess ReversesEinsteinSchach ReversEchecsEinstein
AntiEinsteinChess AntiEinsteinSchach EchecsAntiEinstein
ChameleonCirce ChamaeleonCirce CirceCameleon
Wormholes Wurmloecher TrousDeVer
TransmutedKings TransmutierendeKoenige RoisTransmutes
WhiteTransmutedKing WeisserTransmutierenderKoenig BlancRoiTransmute
BlackTransmutedKing SchwarzerTransmutierenderKoenig NoirRoiTransmute
WhiteSuperTransmutingKing WeisserSuperTransmutierenderKoenig BlancSuperRoiTransmute
BlackSuperTransmutingKing SchwarzerSuperTransmutierenderKoenig NoirSuperRoiTransmute
PhantomChess PhantomSchach EchecsPhantom
AntiMarsCirce
PlusChess PlusSchach EchecsPlus
Imitator
BGL
Breton
SuperCirce
AntiSuperCirce
CirceTake&Make
ReflectiveKings ReflektierendeKoenige RoisReflecteurs
WhiteReflectiveKing WeisserReflektierenderKoenig BlancRoiReflecteur
BlackReflectiveKing SchwarzerReflektierenderKoenig NoirRoiReflecteur
LeseMajeste
Make&TakeChess Make&TakeSchach Make&TakeEchecs
StrictSAT
SnekChess SnekSchach EchecsSnek
SnekCircleChess SnekZirkulaerSchach EchecsSnekCirculaires
CastlingChess RochadeSchach EchecsRoque
Rokagogo
CirceAssassin AssassinCirce CirceAssassin
CageCirce KaefigCirce CirceCage
RoleExchange Rollentausch EchangeRole
MAFF
CavalierMajeur
RelegationChess Degradierung Degradierung
ShieldedKings SchutzKoenige ShieldedKings
FuddledMen
Pepo
Leffie
NoIProm OhneIUW SansIProm
PromOnly UWnur PromSeul
""")
_CASED = {name.lower(): name for name in _CONDITIONS.split()}
CONDITIONS = {"english": {name: name for name in _CONDITIONS.split()}} | {
    language: {word: _CASED[name] for word, name in _TRANSLATED[language].items()}
    for language in LANGUAGES[1:]
}
"""The conditions; in German and French only those of our rule books."""


WRITTEN = {
    "english": ("threat", "zugzwang", "but", "refutes", "set play", "changed play", "RoleExchange"),
    "german": (
        "Drohung",
        "Zugzwang",
        "Aber",
        "Widerlegt",
        "Satzspiel",
        "Mattwechsel",
        "Rollentausch",
    ),
    "french": ("menace", "blocus", "mais", "Refute", "apparent", "changements", "EchangeRole"),
}
"""The words in solutions, by language."""
SIDES = {"english": "wbn", "german": "wsn", "french": "bnn"}
"""The letters of white, black and neutral in solutions."""


def unique(word: str, words: Iterable[str]) -> str | None:
    """The word itself, or the only one of ``words`` that begins so; else None."""
    short = word.lower()
    found = [each for each in words if each.lower().startswith(short)]
    exact = [each for each in found if len(each) == len(short)]
    return exact[0] if exact else found[0] if len(found) == 1 else None


def meaning(word: str, table: Mapping[str, str]) -> str | None:
    """The English name of a word, perhaps shortened, of one language's table."""
    found = unique(word, table)
    return None if found is None else table[found]
