"""How a language says that there are no tools: data, and what it means for an opening.

To add a language: its words here, and its name in `LANGUAGES`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

# What people write with or without: curly apostrophes, Arabic vowel signs and forms of letters, the dot under Hindi letters.
_FOLDED = str.maketrans(
    {"\u2019": "'", "\u0640": "", "أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ة": "ه", "\u093c": ""}
    | {chr(sign): "" for sign in range(0x064B, 0x0653)}
    | dict(zip(map(chr, range(0x0958, 0x0960)), "कखगजडढफय", strict=True))
)


def fold_text(text: str) -> str:
    """A text in small letters, and without what makes no difference."""
    return text.lower().translate(_FOLDED)


@dataclass(frozen=True, slots=True)
class Denial:
    """Two things that deny a power if one follows the other, each as alternatives of a pattern."""

    first: Sequence[str]
    then: Sequence[str]
    apart: int = 60  # how many characters may be between them

    def pattern(self) -> str:
        """Both as one pattern."""
        return f"(?:{'|'.join(self.first)}).{{0,{self.apart}}}?(?:{'|'.join(self.then)})"


@dataclass(frozen=True)
class Language:
    """The words of one language, in small letters.

    A reply that does not begin with an opener is released at its first letters, so a word that answers begin with as well is
    written with the words that follow it.
    """

    name: str
    openers: tuple[str, ...]  # how a denial begins
    denials: tuple[Denial, ...]  # what denies the power to call a tool or to get at what is outside
    principles: tuple[str, ...]  # what shows that the model will not: never argued with

    @cached_property
    def beginnings(self) -> tuple[str, ...]:
        """How a reply begins that may be a denial."""
        return tuple(fold_text(opener) for opener in self.openers)

    @cached_property
    def cut_beginnings(self) -> frozenset[str]:
        """The same, cut off anywhere: a reply may still begin so."""
        return frozenset(one[:length] for one in self.beginnings for length in range(1, len(one)))

    @cached_property
    def denial(self) -> re.Pattern[str]:
        """Finds the denial of a power in an opening."""
        return re.compile("|".join(fold_text(denial.pattern()) for denial in self.denials))

    @cached_property
    def principle(self) -> re.Pattern[str]:
        """Finds a refusal on principle in an opening."""
        return re.compile(fold_text("|".join(self.principles)))


ENGLISH = Language(
    "English",
    openers=(
        "i'm sorry", "i am sorry", "sorry", "apologies", "i apologi", "my apologies", "unfortunately", "regrettably",
        "as an ai", "as an artificial", "as a language", "as a large language", "as a text", "as an assistant",
        "i'm an ai", "i am an ai", "i'm a language", "i am a language", "i'm a text", "i am a text", "i'm just", "i am just",
        "i don't", "i do not", "i cannot", "i can't", "i can not", "i'm unable", "i am unable", "i'm not", "i am not",
        "i have no", "i lack", "i currently", "currently, i", "currently i", "at the moment, i", "at this time, i",
        "there is no tool", "there are no tools", "no tool", "it seems i", "it looks like i",
    ),
    denials=(
        Denial(
            first=(
                r"do not\b", r"don't\b", r"cannot\b", r"can't\b", r"can not\b", r"unable to\b", r"not able to\b",
                r"not capable of\b", r"have no\b", r"lack\b", r"not have\b", r"there (?:is|are) no\b", r"no\b",
            ),
            then=(
                r"\baccess", r"\babilit", r"\bcapabilit", r"\bbrows(?:e|ing)", r"\binternet", r"\bthe web", r"\breal[- ]time",
                r"\blive", r"\bup-to-date", r"\bexternal", r"\btools?\b", r"\bfunctions?\b", r"\bapis?\b", r"\bexecut",
                r"\brun (?:code|commands|programs)", r"\bperform", r"\binteract", r"\bretriev", r"\bfetch", r"\blook up",
                r"\bcheck (?:the|current)", r"\bdirectly",
            ),
        ),
    ),
    principles=(
        r"(?:help|assist)(?: you)? with (?:that|this|such)", "comply", "against my", "inappropriate", "not appropriate",
        "harmful", "illegal", "unethical", "guidelines", r"polic(?:y|ies)",
    ),
)  # fmt: skip

# Chinese, in simplified and traditional characters.
CHINESE = Language(
    "Chinese",
    openers=(
        "抱歉", "很抱歉", "非常抱歉", "十分抱歉", "对不起", "對不起", "不好意思", "遗憾", "遺憾", "很遗憾", "很遺憾",
        "我无法", "我無法", "我不能", "我没有", "我沒有", "我目前", "我暂时", "我暫時", "我只是", "我不具备", "我不具備",
        "目前我", "作为", "作為", "由于", "由於", "当前", "當前", "无法", "無法", "没有工具", "沒有工具",
    ),
    denials=(
        Denial(
            first=("无法", "無法", "不能", "没有", "沒有", "不具备", "不具備", "没法", "沒法", "不支持", "不支援"),
            then=(
                "访问", "訪問", "存取", "获取", "獲取", "取得", "工具", "函数", "函數", "函式", "实时", "實時", "即時", "互联网",
                "網際網路", "網路", "网络", "联网", "連網", "浏览", "瀏覽", "执行", "執行", "调用", "調用", "呼叫", "查询", "查詢",
                "能力", "权限", "權限",
            ),
            apart=16,
        ),
    ),
    principles=(
        "违法", "違法", "有害", "不适当", "不適當", "不合适", "不合適", "违反", "違反", "不道德", "安全准则", "安全準則",
        "政策",
    ),
)  # fmt: skip

_GERMAN_NOT = (
    r"\bnicht\b", r"\bkein(?:e|en|em|er|es|erlei)?\b", r"\bunmöglich\b", r"\baußerstande\b", r"\bfehl(?:t|en)\b", r"\bohne\b",
)  # fmt: skip
_GERMAN_POWERS = (
    r"\bzugriff\b", r"\bzugang\b", r"zugreifen", r"abruf", r"abzurufen", r"werkzeug", r"\btools?\b", r"funktionsaufruf",
    r"\bfunktionen\b", r"schnittstelle", r"\bapis?\b", r"internet", r"echtzeit", r"\blive", r"tagesaktuell", r"aktuelle[nrs]? \w*daten",
    r"\bextern", r"browse", r"durchsuchen", r"online", r"\bausführen", r"auszuführen", r"nachsehen", r"nachschlagen", r"nachzuschlagen",
    r"fähigkeit", r"überprüfen", r"abfragen", r"abzufragen",
)  # fmt: skip

# Turned round it is the speaker who lacks the power: "the tool returned nothing" is an answer.
_GERMAN_NOT_I = (r"\b(?:ich|mir)\b.{0,24}\b(?:nicht|kein\w*)\b",)

GERMAN = Language(
    "German",
    openers=(
        "es tut mir leid", "tut mir leid", "entschuldig", "bitte entschuldig", "verzeih", "leider", "bedauerlicherweise",
        "ich bedaure", "ich bedauere", "als ki", "als eine ki", "als künstliche", "als sprachmodell", "als ein sprachmodell",
        "als großes sprachmodell", "als textbasiert", "als ein textbasiert", "als assistent", "als virtueller",
        "ich bin eine ki", "ich bin ein sprachmodell", "ich bin ein text", "ich bin nur ein", "ich bin leider", "ich bin nicht",
        "ich bin derzeit", "ich habe kein", "ich habe leider", "ich habe derzeit", "ich habe aktuell", "ich habe momentan",
        "ich kann nicht", "ich kann leider", "ich kann derzeit", "ich kann momentan", "ich kann keine", "ich kann aktuell",
        "ich kann das nicht", "ich kann das wetter", "ich verfüge", "ich besitze", "mir fehl", "mir steh", "es steh", "es gibt keine",
        "derzeit kann ich", "derzeit habe ich", "momentan kann ich", "momentan habe ich", "im moment kann ich", "im moment habe ich",
        "aktuell kann ich", "aktuell habe ich", "auf echtzeit", "auf externe", "auf das internet",
    ),
    denials=(Denial(_GERMAN_NOT, _GERMAN_POWERS), Denial(_GERMAN_POWERS, _GERMAN_NOT_I, apart=20)),
    principles=(
        r"(?:dabei|damit|hierbei|hiermit) (?:leider )?nicht (?:weiter)?helfen", r"nicht dabei helfen", "richtlinie", "illegal",
        "gesetzeswidrig", "strafbar", "schädlich", "gefährlich", "unangemessen", "unethisch", "gegen meine",
    ),
)  # fmt: skip

FRENCH = Language(
    "French",
    openers=(
        "désolé", "je suis désolé", "je suis navré", "navré", "je m'excuse", "toutes mes excuses", "mes excuses",
        "veuillez m'excuser", "pardon", "malheureusement", "je regrette", "en tant qu'ia", "en tant qu'intelligence",
        "en tant que modèle", "en tant qu'assistant", "en tant que grand modèle", "étant un modèle", "étant une ia",
        "je suis une ia", "je suis un modèle", "je suis une intelligence", "je ne suis qu'un", "je ne peux", "je n'ai pas",
        "je n'ai aucun", "je n'ai malheureusement", "je n'ai actuellement", "je ne dispose", "je ne suis pas", "je ne possède",
        "je suis incapable", "je suis dans l'incapacité", "il m'est impossible", "il ne m'est pas possible", "actuellement, je",
        "actuellement je", "pour le moment, je", "pour l'instant, je", "aucun outil", "il n'y a aucun outil", "il n'y a pas d'outil",
    ),
    denials=(
        Denial(
            first=(
                r"\bpas\b", r"\baucune?\b", r"\bincapable\b", r"\bincapacité\b", r"\bimpossible\b", r"\bsans\b", r"\bni\b",
                r"\bne (?:peux|dispose|possède)\b",
            ),
            then=(
                r"\baccès", r"\baccéder", r"\boutils?\b", r"\bfonctions?\b", r"\bapi\b", r"\binternet", r"\ble web",
                r"temps réel", r"\ben direct", r"\bdirectement", r"\bexterne", r"\bnaviguer", r"\bnavigation", r"\bconsulter",
                r"\brécupérer", r"\bexécuter", r"\brechercher", r"\bvérifier", r"\bobtenir", r"\bcapacité", r"\binteragir",
                r"\bconnexion", r"\bconnecté", r"à jour",
            ),
        ),
    ),
    principles=(
        r"aider (?:avec|à|dans|pour) (?:cela|ça|ce|cette)", r"vous aider à ce sujet", "illégal", "nuisible", "dangereu",
        "inapproprié", "contraire à", "éthique", "directives", r"politiques? d", "nos politiques", "mes politiques", "répondre à cette demande",
    ),
)  # fmt: skip

SPANISH = Language(
    "Spanish",
    openers=(
        "lo siento", "lo lamento", "lamento", "lamentablemente", "desafortunadamente", "desgraciadamente", "disculpa",
        "mis disculpas", "perdón", "perdona", "por desgracia", "como ia", "como una ia", "como un modelo", "como modelo",
        "como inteligencia", "como asistente", "como un asistente", "soy una ia", "soy un modelo", "soy solo un", "solo soy un",
        "no tengo", "no puedo", "no dispongo", "no cuento", "no poseo", "no me es posible", "no soy capaz", "no estoy",
        "actualmente no", "actualmente, no", "por el momento no", "por el momento, no", "en este momento no",
        "en este momento, no", "de momento no", "carezco", "me es imposible", "no hay herramientas", "no hay ninguna herramienta",
    ),
    denials=(
        Denial(
            first=(r"\bno\b", r"\bni\b", r"\bcarezco\b", r"\bimposible\b", r"\bsin\b", r"\bincapaz\b", r"\bninguna?\b"),
            then=(
                r"\bacceso", r"\bacceder", r"\bherramienta", r"\bfunciones\b", r"\bllamar a func", r"\bapi\b", r"\binternet",
                r"\bla web", r"tiempo real", r"\ben vivo", r"\bdirectamente", r"\bextern", r"\bnavegar", r"\bnavegación",
                r"\bconsultar", r"\brecuperar", r"\bejecutar", r"\bbuscar en", r"\bverificar", r"\bobtener", r"\bcapacidad",
                r"\binteractuar", r"\bconexión", r"\bconectad", r"\bactualizad",
            ),
        ),
    ),
    principles=(
        r"ayudar(?:te|le|les|os)? (?:con|en) (?:eso|esto|esa|ese|esta|este)", "ilegal", "dañin", "perjudicial", "peligros",
        "inapropiad", "poco ético", "directrices", r"(?:mis|nuestras|las) políticas", "políticas de", "en contra de",
    ),
)  # fmt: skip

# Portuguese, as in Brazil and in Portugal.
PORTUGUESE = Language(
    "Portuguese",
    openers=(
        "desculp", "peço desculp", "me desculp", "sinto muito", "lamento", "infelizmente", "lamentavelmente", "perdão",
        "como ia", "como uma ia", "como um modelo", "como modelo", "como inteligência", "como uma inteligência", "como assistente",
        "como um assistente", "sou uma ia", "sou um modelo", "sou apenas um", "sou só um", "eu sou uma ia", "eu sou um modelo",
        "não tenho", "não posso", "não consigo", "não disponho", "não possuo", "não sou capaz", "não estou", "não me é possível",
        "eu não tenho", "eu não posso", "eu não consigo", "eu não possuo", "atualmente não", "atualmente, não", "no momento não",
        "no momento, não", "neste momento não", "neste momento, não", "de momento não", "não há ferramentas",
        "não há nenhuma ferramenta",
    ),
    denials=(
        Denial(
            first=(r"\bnão\b", r"\bnem\b", r"\bimpossível\b", r"\bsem\b", r"\bincapaz\b", r"\bnenhuma?\b"),
            then=(
                r"\bacesso", r"\bacessar", r"\baceder", r"\bferramenta", r"\bfunções\b", r"\bchamar func", r"\bapis?\b", r"\binternet",
                r"\ba web", r"tempo real", r"\bao vivo", r"\bdiretamente", r"\bextern", r"\bnavegar", r"\bnavegação", r"\bconsultar",
                r"\brecuperar", r"\bexecutar", r"\bpesquisar n", r"\bbuscar (?:na|informações)", r"\bverificar", r"\bobter",
                r"\bcapacidade", r"\binteragir", r"\bconexão", r"\bconectad", r"\batualizad",
            ),
        ),
    ),
    principles=(
        r"ajud(?:ar|á-lo|á-la|á-los)(?: (?:você|te|lo))? (?:com|n)(?: ?isso| ?isto|esse|este|essa|esta)", "ilegal", "prejudicial",
        "nociv", "perigos", "inadequad", "inapropriad", "antiétic", "diretrizes", r"(?:minhas|nossas|as) políticas", "políticas de", "contra as",
    ),
)  # fmt: skip

ITALIAN = Language(
    "Italian",
    openers=(
        "mi dispiace", "mi spiace", "spiacente", "sono spiacente", "scusa", "mi scuso", "chiedo scusa", "purtroppo",
        "sfortunatamente", "in quanto ia", "in quanto intelligenza", "in quanto modello", "in quanto assistente", "come ia",
        "come modello", "come intelligenza", "come assistente", "essendo un modello", "essendo un'ia", "sono un'ia",
        "sono un modello", "sono un'intelligenza", "sono solo un", "non ho", "non posso", "non dispongo", "non possiedo",
        "non sono in grado", "non mi è possibile", "non riesco", "non sono", "attualmente non", "al momento non", "al momento, non",
        "per ora non", "mi è impossibile", "non ci sono strumenti", "non c'è nessuno strumento",
    ),
    denials=(
        Denial(
            first=(r"\bnon\b", r"\bné\b", r"\bimpossibile\b", r"\bsenza\b", r"\bnessuno?a?\b", r"\bincapace\b"),
            then=(
                r"\baccesso", r"\baccedere", r"\bstrument", r"\bfunzioni\b", r"\bapi\b", r"\binternet", r"\bil web", r"\bsul web",
                r"tempo reale", r"\bin diretta", r"\bdirettamente", r"\bestern", r"\bnavigare", r"\bnavigazione", r"\bconsultare",
                r"\brecuperare", r"\beseguire", r"\bcercare (?:online|su|in rete)", r"\bverificare", r"\bottenere", r"\bcapacità",
                r"\binteragire", r"\bconnessione", r"\bconness[oa]\b", r"\baggiornat",
            ),
        ),
    ),
    principles=(
        r"aiutar(?:ti|la|vi|e) (?:con|in|a) (?:questo|questa|ciò|quest)", "illegal", "dannos", "pericolos", "inappropriat",
        "non etic", "linee guida", r"(?:mie|nostre|le) politiche", "politiche di", "contro le",
    ),
)  # fmt: skip

_RUSSIAN_NOT = (
    r"\bне\b",
    r"\bнет\b",
    r"\bни\b",
    r"\bневозможно\b",
    r"\bбез\b",
    r"\bотсутству",
    r"\bлишен",
)
_RUSSIAN_POWERS = (
    r"\bдоступ", r"\bинструмент", r"\bфункци", r"\bapi\b", r"\bинтернет", r"реальном времени", r"реального времени", r"\bвнешн",
    r"\bонлайн", r"\bпросматрива", r"\bпросмотреть", r"\bвыполн", r"\bвызыва", r"\bвызвать", r"\bвызов", r"\bполучить", r"\bполучать",
    r"\bпроверить", r"\bискать в", r"\bнайти в", r"\bнапрямую", r"\bвозможност", r"\bактуальн", r"\bподключ", r"\bобращаться к",
    r"\bобратиться к", r"\bзапрашивать",
)  # fmt: skip

# Turned round it is the speaker who lacks the power: "the tool returned nothing" is an answer.
_RUSSIAN_NOT_I = (r"\bу меня нет\b", r"\bя не\b", r"\bмне не\b", r"отсутству", r"недоступ")

RUSSIAN = Language(
    "Russian",
    openers=(
        "извини", "простите", "прости,", "прошу прощения", "приношу извинения", "мне жаль", "мне очень жаль", "к сожалению",
        "сожалею", "увы", "как ии", "как искусственный", "как языковая", "как большая языковая", "как модель", "как ассистент",
        "как виртуальный", "будучи языковой", "будучи ии", "я не могу", "я не имею", "я не умею", "я не способ", "я не обладаю",
        "я не располагаю", "я не в состоянии", "я не подключ", "я всего лишь", "я лишь", "я просто", "я языковая", "я — языковая",
        "я являюсь", "я ии", "я — ии", "у меня нет", "у меня отсутств", "у меня, к сожалению", "у меня пока нет", "в данный момент я",
        "в настоящее время я", "сейчас я не", "сейчас у меня нет", "на данный момент я", "мне недоступ", "нет доступных инструментов",
        "инструменты недоступны",
    ),
    denials=(Denial(_RUSSIAN_NOT, _RUSSIAN_POWERS), Denial(_RUSSIAN_POWERS, _RUSSIAN_NOT_I, apart=30), Denial((r"недоступ",), _RUSSIAN_POWERS)),
    principles=(
        r"помочь (?:вам |тебе )?(?:с этим|в этом|с такой|с такими)", "незаконн", "противозаконн", "вредонос", r"(?<!без)опасн", "неуместн",
        "неэтичн", r"\bправила", "против правил", "политике", "политику", "противореч", "нарушает",
    ),
)  # fmt: skip

JAPANESE = Language(
    "Japanese",
    openers=(
        "申し訳", "すみません", "すいません", "ごめんなさい", "恐れ入りますが", "恐縮ですが", "残念ながら", "あいにく", "生憎",
        "aiとして", "aiアシスタント", "ai言語モデル", "私はai", "私は言語モデル", "私は大規模言語モデル", "私は人工知能", "私は現在",
        "私はツール", "私はインターネット", "私はリアルタイム", "私は外部", "私には", "言語モデルである", "言語モデルとして", "言語モデルの",
        "人工知能として", "現在、私", "現在私", "現在のところ", "現時点では", "今のところ", "利用可能なツール", "利用できるツール",
        "使用できるツール", "ツールがありません", "ツールを使用することはできません", "ツールを使うことはできません", "リアルタイムの", "リアルタイム情報", "外部の", "インターネットにアクセス",
    ),
    denials=(
        Denial(
            first=(
                "ツール", "関数", "機能", "アクセス", "リアルタイム", "インターネット", "ウェブ", "外部", "ブラウ", "検索", "実行",
                "呼び出", "取得", "api", "能力", "最新の", "最新情報", "直接", "接続", "確認する",
            ),
            # What was not there is an answer, what is not possible is not.
            then=(
                r"(?:でき|出来|あり|持ってい|持っており|持ち|備わってい|備えてい|対応してい|対応しており|してい|しており)ません(?!でした)",
                "できない", "出来ない", r"ない(?:ため|ので|です)", "持ち合わせて", "不可能", "いたしかねます", "できかねます",
            ),
            apart=30,
        ),
    ),
    principles=(
        "お手伝いできません", "お手伝いすることはできません", "お答えできません", "違法", "有害", "危険", "不適切", "倫理", "ガイドライン",
        "ポリシー", "規約", "お断り",
    ),
)  # fmt: skip

KOREAN = Language(
    "Korean",
    openers=(
        "죄송", "미안", "안타깝", "유감스럽", "아쉽게도", "불행히도", "ai로서", "ai 언어 모델", "ai 어시스턴트", "인공지능으로서",
        "인공지능 언어", "언어 모델로서", "저는 ai", "저는 인공지능", "저는 언어 모델", "저는 대규모", "저는 현재", "저는 실시간",
        "저는 도구", "저는 인터넷", "저는 외부", "저는 직접", "저에게는", "저는 함수", "현재 저는", "현재로서는", "현재는", "제가 직접",
        "저는 텍스트", "실시간", "사용 가능한 도구", "사용할 수 있는 도구", "도구가 없", "외부 ", "인터넷에 접속",
    ),
    denials=(
        Denial(
            first=(
                "도구", "함수", "기능", "접근", "접속", "실시간", "인터넷", "웹", "외부", "검색할", "검색하", "검색 기능", "실행", "호출", "조회", "api", "능력",
                "최신", "직접", "권한", "연결",
            ),
            then=(
                "수 없", "수가 없", "없습니다", "없어요", "없는", "없으", "못합니다", "못해요", "못하", "않습니다", "않아요", "않으",
                "불가능", "불가합니다", "지원되지", "지원하지",
            ),
            apart=30,
        ),
    ),
    principles=(
        "도와드릴 수 없", "도울 수 없", "답변드릴 수 없", "불법", "유해", "위험", "부적절", "비윤리", "윤리", "정책", "가이드라인", "지침",
    ),
)  # fmt: skip

# Arabic; vowel signs and the forms of alef do not matter.
ARABIC = Language(
    "Arabic",
    openers=(
        "عذرا", "اسف", "انا اسف", "اعتذر", "المعذره", "معذره", "للاسف", "مع الاسف", "يوسفني", "ياسف", "كنموذج", "بصفتي",
        "باعتباري", "بما انني", "كوني نموذج", "كذكاء", "كمساعد", "انا نموذج", "انا مجرد", "انا ذكاء", "انا لا", "لا يمكنني", "لا استطيع", "لا املك",
        "لا امتلك", "لا اتوفر", "لا تتوفر لدي", "لا يتوفر لدي", "لا توجد لدي", "لا يوجد لدي", "ليس لدي", "ليست لدي", "لست قادر",
        "ليس بامكاني", "ليس بمقدوري", "حاليا لا", "حاليا، لا", "في الوقت الحالي لا", "في الوقت الحالي، لا", "لا توجد ادوات",
    ),
    denials=(
        Denial(
            first=("لا ", "ليس", "لست", "غير قادر", "غير متصل", "يتعذر", "دون"),
            then=(
                "وصول", "الوصول", "ادوات", "اداه", "دوال", "وظائف خارجيه", "الانترنت", "الويب", "الوقت الفعلي", "الوقت الحقيقي",
                "مباشر", "فوري", "لحظي", "خارجي", "تصفح", "تنفيذ", "استدعاء", "استرجاع", "جلب", "البحث في", "البحث عبر", "القدره",
                "امكانيه", "صلاحي", "متصل", "محدثه", "التحقق من", "api",
            ),
            apart=50,
        ),
    ),
    principles=(
        "مساعدتك في هذا", "مساعدتك في ذلك", "مساعدتك بهذا", "المساعده في هذا", "المساعده في ذلك", "غير قانوني", r"\bضار", "الضار", "خطير", "غير لائق", "غير مناسب",
        "غير اخلاقي", "سياسات", "سياستي", "ارشادات", "مخالف",
    ),
)  # fmt: skip

HINDI = Language(
    "Hindi",
    openers=(
        "क्षमा", "माफ़", "माफ", "मुझे खेद", "मुझे क्षमा", "मुझे माफ़", "मुझे माफ", "मुझे अफ़सोस", "मुझे अफसोस", "खेद है", "दुर्भाग्य", "अफ़सोस", "अफसोस",
        "एक ai", "एक एआई", "एक कृत्रिम", "एक भाषा मॉडल", "एक लैंग्वेज", "एक बड़े भाषा", "मैं एक ai", "मैं एक एआई", "मैं एक भाषा", "मैं एक लैंग्वेज",
        "मैं एक टेक्स्ट", "मैं केवल", "मैं सिर्फ", "मैं वास्तविक समय", "मैं रीयल", "मैं रियल", "मैं इंटरनेट", "मैं सीधे", "मैं बाहरी", "मैं किसी भी टूल",
        "मैं टूल", "मैं वर्तमान में", "मैं फिलहाल", "मैं अभी", "मैं लाइव", "मेरे पास", "वर्तमान में मेरे", "वर्तमान में मैं", "फिलहाल मेरे", "फिलहाल मैं", "अभी मेरे पास",
        "मुझमें", "कोई टूल",
    ),
    denials=(
        Denial(
            first=(
                "पहुंच", "पहुँच", "एक्सेस", "टूल", "उपकरण", "फ़ंक्शन", "फंक्शन", "इंटरनेट", "वेब", "वास्तविक समय", "रीयल-टाइम", "रीयल टाइम", "रियल-टाइम",
                "रियल टाइम", "लाइव", "बाहरी", "ब्राउज़", "ब्राउज", "खोज", "निष्पादित", "कॉल", "क्षमता", "सीधे", "ताज़ा", "ताजा", "नवीनतम", "api", "अनुमति",
            ),
            # What did not come is an answer, what cannot be done is not.
            then=(r"नहीं(?! (?:मिल|दिया|दी|दिए|लौट|हुआ|हुई|आया|आई|किया))", "असमर्थ", "सकता नहीं", "अक्षम", "मत", "बिना"),
            apart=50,
        ),
    ),
    principles=(
        "मदद नहीं कर सक", "सहायता नहीं कर सक", "अवैध", "गैरकानूनी", "गैर-कानूनी", "हानिकारक", "खतरनाक", "अनुचित", "अनैतिक", "दिशानिर्देश", r"(?<!राज)नीति",
        "नियमों के",
    ),
)  # fmt: skip

LANGUAGES = (
    ENGLISH, CHINESE, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, RUSSIAN, JAPANESE, KOREAN, ARABIC, HINDI,
)  # fmt: skip
