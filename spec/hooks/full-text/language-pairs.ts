/** Twelve questions in each of eight languages, each with the passage that answers it. All languages have the same topics. */
export const languagePairs: Readonly<Record<string, readonly (readonly [question: string, passage: string])[]>> = {
  en: [
    [
      'How many days until I must return something?',
      'Orders may be sent back within thirty days of delivery. Returns of opened goods are not accepted.',
    ],
    [
      'Who approves vacations?',
      'Vacation requests go to the team lead, who approves them within a week. Unused days expire in March.',
    ],
    ['What port is it on?', 'The server listens on port 8080 unless the configuration file says otherwise.'],
    [
      'How often do you back up the database?',
      'A backup of the database is made every night at two and kept for ninety days.',
    ],
    [
      'forgot password',
      'A forgotten password is reset through the link on the login page; the link is valid for one hour.',
    ],
    [
      'When does the office close?',
      'The office opens at seven in the morning and closes at eight in the evening, except on Sundays.',
    ],
    [
      'cleaning a coffee machine',
      'Cleaning the coffee machine takes ten minutes: empty the tray, rinse the tank and run the program.',
    ],
    [
      'I want to book a meeting room',
      'Meeting rooms are booked in the calendar. Bookings that nobody attends are cancelled after a quarter of an hour.',
    ],
    [
      'Can invoices be paid by transfer?',
      'Invoices are paid by bank transfer or card. Payment is due fourteen days after the date of the invoice.',
    ],
    [
      'How many weeks are books lent?',
      'Books of the library are lent for four weeks. Whoever keeps a book longer pays a fee.',
    ],
    [
      'Can my dog come on the train?',
      'Small dogs travel on trains free of charge; large dogs need a ticket of their own.',
    ],
    [
      'Where are driving licences renewed?',
      'A driving licence is renewed at the town hall. Bring a photo and the old licence.',
    ],
  ],
  de: [
    [
      'Bis wann kann ich Bestelltes zurückgeben?',
      'Bestellungen können innerhalb von dreißig Tagen nach der Lieferung zurückgegeben werden. Geöffnete Ware nehmen wir nicht an.',
    ],
    [
      'Wer genehmigt Urlaube?',
      'Urlaubsanträge gehen an die Teamleitung, die sie binnen einer Woche genehmigt. Resturlaub verfällt im März.',
    ],
    [
      'Auf welchem Port läuft der Server?',
      'Der Server lauscht auf Port 8080, solange die Konfigurationsdatei nichts anderes sagt.',
    ],
    [
      'Wie oft wird die Datenbank gesichert?',
      'Jede Nacht um zwei wird eine Sicherung der Datenbank angelegt und neunzig Tage aufbewahrt.',
    ],
    [
      'Passwort vergessen',
      'Ein vergessenes Passwort wird über den Verweis auf der Anmeldeseite zurückgesetzt; er gilt eine Stunde.',
    ],
    [
      'Wann schließt das Büro?',
      'Das Büro öffnet um sieben Uhr morgens und schließt um acht Uhr abends, außer an Sonntagen.',
    ],
    [
      'Kaffeemaschine reinigen',
      'Die Reinigung der Kaffeemaschine dauert zehn Minuten: Schale leeren, Tank spülen, Programm starten.',
    ],
    [
      'Ich will einen Besprechungsraum buchen',
      'Besprechungsräume werden im Kalender gebucht. Buchungen, zu denen niemand kommt, verfallen nach einer Viertelstunde.',
    ],
    [
      'Geht die Rechnung auch per Überweisung?',
      'Rechnungen werden per Überweisung oder Karte bezahlt. Die Zahlung ist vierzehn Tage nach dem Datum fällig.',
    ],
    [
      'Wie viele Wochen werden Bücher verliehen?',
      'Bücher der Bibliothek werden für vier Wochen verliehen. Wer ein Buch länger behält, zahlt eine Gebühr.',
    ],
    [
      'Darf mein Hund in den Zug?',
      'Kleine Hunde reisen in Zügen kostenlos; große Hunde brauchen eine eigene Fahrkarte.',
    ],
    [
      'Wo wird der Führerschein verlängert?',
      'Der Führerschein wird im Rathaus verlängert. Bringen Sie ein Foto und den alten Führerschein mit.',
    ],
  ],
  es: [
    [
      '¿Hasta cuándo puedo devolver pedidos?',
      'Los pedidos se pueden devolver en los treinta días siguientes a la entrega. No se aceptan productos abiertos.',
    ],
    [
      '¿Quién aprueba las vacaciones?',
      'Las solicitudes de vacaciones las aprueba la jefa del equipo en una semana. Los días sobrantes caducan en marzo.',
    ],
    [
      '¿En qué puerto está el servidor?',
      'El servidor escucha en el puerto 8080, salvo que el archivo de configuración diga otra cosa.',
    ],
    [
      '¿Cada cuánto se copia la base de datos?',
      'Cada noche a las dos se hace una copia de seguridad de la base de datos, que se guarda noventa días.',
    ],
    [
      'contraseña olvidada',
      'Una contraseña olvidada se restablece con el enlace de la página de acceso; el enlace vale una hora.',
    ],
    [
      '¿Cuándo cierra la oficina?',
      'La oficina abre a las siete de la mañana y cierra a las ocho de la tarde, excepto los domingos.',
    ],
    [
      'limpiar la máquina de café',
      'La limpieza de la máquina de café lleva diez minutos: vaciar la bandeja, enjuagar el depósito y poner el programa.',
    ],
    [
      'Quiero reservar una sala de reuniones',
      'Las salas de reuniones se reservan en el calendario. Las reservas a las que nadie acude se anulan al cuarto de hora.',
    ],
    [
      '¿Puedo pagar facturas por transferencia?',
      'Las facturas se pagan por transferencia o con tarjeta. El pago vence a los catorce días de la fecha.',
    ],
    [
      '¿Por cuántas semanas se prestan los libros?',
      'Los libros de la biblioteca se prestan por cuatro semanas. Quien tiene un libro más tiempo paga una multa.',
    ],
    [
      '¿Puede subir mi perro al tren?',
      'Los perros pequeños viajan gratis en los trenes; los perros grandes necesitan billete propio.',
    ],
    [
      '¿Dónde renuevo el permiso de conducir?',
      'El permiso de conducir se renueva en el ayuntamiento. Traiga una foto y el permiso antiguo.',
    ],
  ],
  ru: [
    [
      'До какого дня можно вернуть заказы?',
      'Заказы можно вернуть в течение тридцати дней после доставки. Вскрытый товар не принимается.',
    ],
    [
      'Кто утверждает отпуска?',
      'Заявления на отпуск утверждает руководитель группы в течение недели. Остаток дней сгорает в марте.',
    ],
    ['На каком порту сервер?', 'Сервер слушает порт 8080, если в файле настроек не указано иное.'],
    [
      'Как часто копируют базу данных?',
      'Каждую ночь в два часа создаётся резервная копия базы данных, которая хранится девяносто дней.',
    ],
    ['забыла пароль', 'Забытый пароль сбрасывается по ссылке на странице входа; ссылка действует один час.'],
    ['Когда закрывается офис?', 'Офис открывается в семь утра и закрывается в восемь вечера, кроме воскресений.'],
    [
      'почистить кофемашину',
      'Чистка кофемашины занимает десять минут: опорожните поддон, промойте бак и запустите программу.',
    ],
    [
      'Хочу забронировать переговорную',
      'Переговорные бронируются в календаре. Брони, на которые никто не пришёл, отменяются через четверть часа.',
    ],
    [
      'Можно заплатить по счёту переводом?',
      'Счета оплачиваются банковским переводом или картой. Срок оплаты четырнадцать дней.',
    ],
    [
      'На сколько недель выдают книги?',
      'Книги библиотеки выдаются на четыре недели. Кто держит книгу дольше, платит штраф.',
    ],
    ['Можно мне с собакой в поезде?', 'Маленькие собаки ездят в поездах бесплатно; большим собакам нужен свой билет.'],
    [
      'Где продлевают права?',
      'Водительские права продлевают в городской администрации. Принесите фотографию и старые права.',
    ],
  ],
  zh: [
    ['买的东西几天之内能退？', '收到商品后三十天以内可以办理退货，已经拆封的商品不予受理。'],
    ['假由谁批？', '休假申请由组长在一周之内审批，没有用完的假期三月份作废。'],
    ['端口是多少？', '除非配置文件另有说明，服务器监听 8080 端口。'],
    ['库多久备一次份？', '每天夜里两点对数据库做一次备份，备份保留九十天。'],
    ['密码想不起来了', '忘记密码时，请点击登录页面上的链接重新设置，链接一小时内有效。'],
    ['几点关门？', '办公室早上七点开门，晚上八点关门，周日除外。'],
    ['咖啡机脏了怎么洗？', '清洁咖啡机需要十分钟：倒空托盘，冲洗水箱，然后运行程序。'],
    ['想订一间会议室', '会议室在日历里预约，没有人到场的预约一刻钟之后取消。'],
    ['能不能转账付？', '账单可以转账或刷卡付款，付款期限是开票之后十四天。'],
    ['书能借多久？', '图书馆的书可以借四个星期，逾期不还要交罚款。'],
    ['狗能坐火车吗？', '小型犬乘坐火车免费，大狗需要单独买票。'],
    ['驾照去哪里换？', '驾驶执照在市政厅更换，请带照片和旧驾照。'],
  ],
  ja: [
    ['何日まで返せますか？', '商品は到着から三十日以内であれば返品を受け付けます。開封した品物は返せません。'],
    ['休みは誰が認めますか？', '休暇の申請はチームの責任者が一週間以内に承認します。残った日数は三月に失効します。'],
    ['ポートはいくつ？', '設定ファイルに別の指定がなければ、サーバーはポート8080で待ち受けます。'],
    ['DBのバックアップはいつ？', '毎晩二時にデータベースのバックアップを取り、九十日間保存します。'],
    ['パスワード忘れた', '忘れたパスワードはログイン画面のリンクから再設定します。リンクは一時間有効です。'],
    ['何時に閉まる？', 'オフィスは朝七時に開き、夜八時に閉まります。日曜日は休みです。'],
    [
      'コーヒーメーカーの洗い方',
      'コーヒーメーカーの清掃には十分かかります。受け皿を空にし、タンクをすすぎ、プログラムを動かします。',
    ],
    ['会議室を押さえたい', '会議室はカレンダーで予約します。誰も来ない予約は十五分後に取り消されます。'],
    ['振込でもいい？', '請求書のお支払いは振込またはカードです。期限は発行から十四日です。'],
    ['本は何週間借りられる？', '図書館の本は四週間貸し出します。延滞すると料金がかかります。'],
    ['犬も乗れる？', '小さな犬は電車に無料で乗れます。大きな犬には乗車券が必要です。'],
    ['免許の更新はどこで？', '運転免許は市役所で更新します。写真と古い免許証をお持ちください。'],
  ],
  ko: [
    ['며칠까지 반품되나요?', '상품은 배송 후 삼십 일 이내에 반품이 가능합니다. 개봉한 물건은 받지 않습니다.'],
    ['휴가를 누가 승인해 주나요?', '휴가 신청은 팀장이 일주일 안에 승인합니다. 남은 휴가는 삼월에 사라집니다.'],
    ['포트 번호가 뭐죠?', '설정 파일에 다른 말이 없으면 서버는 8080 포트에서 기다립니다.'],
    ['백업은 얼마나 자주 하죠?', '매일 밤 두 시에 데이터베이스를 백업하고 구십 일 동안 보관합니다.'],
    ['비밀번호를 까먹었어요', '잊은 비밀번호는 로그인 화면의 링크로 다시 설정합니다. 링크는 한 시간 동안 유효합니다.'],
    ['사무실이 몇 시에 닫나요?', '사무실은 아침 일곱 시에 열고 저녁 여덟 시에 닫습니다. 일요일은 쉽니다.'],
    [
      '커피머신을 청소하고 싶어요',
      '커피머신 청소는 십 분쯤 걸립니다. 받침을 비우고 물통을 헹군 뒤 프로그램을 돌립니다.',
    ],
    ['회의실을 예약하고 싶어요', '회의실 예약은 달력에서 합니다. 아무도 오지 않는 예약은 십오 분 뒤에 취소됩니다.'],
    ['이체로 지불해도 되나요?', '청구서는 계좌이체나 카드로 지불합니다. 기한은 발행일로부터 십사 일입니다.'],
    ['책을 몇 주나 빌려 주나요?', '도서관의 책은 네 주 동안 빌려 드립니다. 늦으면 연체료를 냅니다.'],
    ['개도 기차에 타나요?', '작은 개는 기차를 무료로 탑니다. 큰 개는 표가 따로 필요합니다.'],
    ['면허를 어디서 갱신하나요?', '운전면허증은 시청에서 갱신합니다. 사진과 옛 면허증을 가져오세요.'],
  ],
  th: [
    ['ซื้อแล้วคืนได้กี่วัน', 'ลูกค้าสามารถส่งคืนสินค้าได้ภายในสามสิบวันหลังจากได้รับ สินค้าที่เปิดแล้วไม่รับคืน'],
    ['ลาพักร้อนใครอนุมัติ', 'หัวหน้าทีมจะอนุมัติคำขอลาพักร้อนภายในหนึ่งสัปดาห์ วันที่เหลือจะหมดอายุในเดือนมีนาคม'],
    ['พอร์ตเบอร์อะไร', 'เซิร์ฟเวอร์รอรับที่พอร์ต 8080 เว้นแต่ไฟล์ตั้งค่าจะระบุเป็นอย่างอื่น'],
    ['สำรองข้อมูลบ่อยแค่ไหน', 'ทุกคืนเวลาตีสองจะมีการสำรองข้อมูลของฐานข้อมูล และเก็บไว้เก้าสิบวัน'],
    ['ลืมรหัส', 'หากลืมรหัสผ่านให้ตั้งใหม่ผ่านลิงก์ในหน้าเข้าสู่ระบบ ลิงก์ใช้ได้หนึ่งชั่วโมง'],
    ['ปิดกี่โมง', 'สำนักงานเปิดเจ็ดโมงเช้าและปิดสองทุ่ม ยกเว้นวันอาทิตย์'],
    ['เครื่องชงกาแฟล้างยังไง', 'การทำความสะอาดเครื่องชงกาแฟใช้เวลาสิบนาที เทถาดทิ้ง ล้างถังน้ำ แล้วเปิดโปรแกรม'],
    ['อยากจองห้องประชุม', 'ห้องประชุมจองได้ในปฏิทิน การจองที่ไม่มีใครมาจะถูกยกเลิกหลังสิบห้านาที'],
    ['โอนเงินจ่ายได้ไหม', 'ใบแจ้งหนี้ชำระโดยการโอนเงินผ่านธนาคารหรือบัตร ครบกำหนดสิบสี่วันหลังวันที่ออก'],
    ['ยืมหนังสือได้กี่สัปดาห์', 'หนังสือของห้องสมุดให้ยืมสี่สัปดาห์ ใครคืนช้าต้องเสียค่าปรับ'],
    ['เอาหมาหรือสุนัขขึ้นรถไฟได้ไหม', 'สุนัขตัวเล็กขึ้นรถไฟฟรี สุนัขตัวใหญ่ต้องมีตั๋วของตัวเอง'],
    ['ใบขับขี่ต่อที่ไหน', 'ใบขับขี่ต่ออายุได้ที่ศาลากลาง โปรดนำรูปถ่ายและใบขับขี่เดิมมาด้วย'],
  ],
};

/** Texts in the same languages on similar topics that answer none of the questions. */
export const nearTexts: readonly string[] = [
  'The office orders coffee and paper every month; orders go to the front desk.',
  'Trains to the coast leave every hour. The ticket office closes at nine.',
  'The meeting of the team begins at ten, and nobody should be late.',
  'The machine in the cellar must not be used by guests.',
  'A card of the library costs nothing for children.',
  'The old server was switched off in March.',
  'Das Büro bestellt jeden Monat Kaffee und Papier; Bestellungen gehen an den Empfang.',
  'Züge an die Küste fahren jede Stunde. Der Schalter schließt um neun.',
  'Die Besprechung des Teams beginnt um zehn, und niemand soll zu spät kommen.',
  'Die Maschine im Keller dürfen Gäste nicht benutzen.',
  'Der Ausweis der Bibliothek ist für Kinder kostenlos.',
  'Der alte Server wurde im März abgeschaltet.',
  'La oficina pide café y papel cada mes; los pedidos van a la recepción.',
  'Los trenes a la costa salen cada hora. La taquilla cierra a las nueve.',
  'La reunión del equipo empieza a las diez, y nadie debe llegar tarde.',
  'Los invitados no pueden usar la máquina del sótano.',
  'El carné de la biblioteca es gratis para los niños.',
  'El servidor antiguo se apagó en marzo.',
  'Офис каждый месяц заказывает кофе и бумагу; заказы принимает секретарь.',
  'Поезда к морю идут каждый час. Касса закрывается в девять.',
  'Собрание группы начинается в десять, и никто не должен опаздывать.',
  'Гостям нельзя пользоваться машиной в подвале.',
  'Карта библиотеки для детей бесплатна.',
  'Старый сервер выключили в марте.',
  '办公室每个月订购咖啡和纸张，订单交给前台。',
  '开往海边的火车每小时一班，售票处九点关门。',
  '小组会议十点开始，谁也不要迟到。',
  '地下室的机器客人不能使用。',
  '儿童办理图书馆的卡不收费。',
  '旧的服务器三月份已经关掉了。',
  'オフィスは毎月コーヒーと紙を注文します。注文は受付へ。',
  '海へ行く電車は一時間ごとに出ます。窓口は九時に閉まります。',
  'チームの会議は十時に始まります。誰も遅れてはいけません。',
  '地下の機械を客が使うことはできません。',
  '図書館のカードは子どもには無料です。',
  '古いサーバーは三月に止められました。',
  '사무실은 매달 커피와 종이를 주문합니다. 주문은 접수처로 보냅니다.',
  '바다로 가는 기차는 한 시간마다 떠납니다. 매표소는 아홉 시에 닫습니다.',
  '팀 회의는 열 시에 시작합니다. 아무도 늦으면 안 됩니다.',
  '지하실의 기계는 손님이 쓸 수 없습니다.',
  '도서관 카드는 어린이에게 무료입니다.',
  '옛 서버는 삼월에 꺼졌습니다.',
  'สำนักงานสั่งกาแฟและกระดาษทุกเดือน คำสั่งซื้อส่งไปที่แผนกต้อนรับ',
  'รถไฟไปทะเลออกทุกชั่วโมง ห้องขายตั๋วปิดสามทุ่ม',
  'การประชุมทีมเริ่มสิบโมง ห้ามใครมาสาย',
  'แขกใช้เครื่องในห้องใต้ดินไม่ได้',
  'บัตรห้องสมุดสำหรับเด็กไม่เสียเงิน',
  'เซิร์ฟเวอร์เก่าปิดไปเมื่อเดือนมีนาคม',
];
